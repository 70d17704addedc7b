import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../test/app.ts'

interface Tag {
  readonly name: string
  readonly count: number
}

let corvus: Awaited<ReturnType<typeof startApp>>
let statements = 0
before(async () => {
  corvus = await startApp((statement) => {
    // Who is calling is looked up now and then, and noted now and then, beside the request.
    if (/\b(tokens|sessions)\b/.test(statement)) return
    statements++
  })
})
after(() => corvus.stop())

/** Makes an entity with these tags and gives it as it was answered. */
async function tagged(tags: string[], more: Record<string, unknown> = {}) {
  const item = { data: { type: 'malware', title: tags.join(' ') }, meta: { tags }, ...more }
  const { status, body } = await corvus.call('POST', 'entities', { data: item })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}

const read = async (id: string) => (await corvus.call('GET', `entities/${id}`)).body.data
const tagsOf = async (id: string): Promise<string[]> => (await read(id)).meta.tags
const at = (name: string) => `tags/${encodeURIComponent(name)}`
const rename = (from: string, name: unknown) => corvus.call('PATCH', at(from), { data: { name } })
const merge = (tags: unknown, into: unknown) => corvus.call('POST', 'tags/merge', { data: { tags, into } })
const list = async (query: string): Promise<Tag[]> => (await corvus.call('GET', `tags?${query}`)).body.data
const names = async (query: string) => (await list(query)).map(({ name }) => name)
const found = async (tag: string) =>
  (await corvus.call('GET', `entities?filter[tags]=${encodeURIComponent(tag)}`)).body.data.map(
    ({ id }: { id: string }) => id,
  )

/** A source that nobody here sees. */
async function hiddenSource(name: string): Promise<string> {
  return (await corvus.call('POST', 'groups', { data: { name } })).body.data.source
}

test('tags are listed with the number of entities that have them, the most used first', async () => {
  await tagged(['list-b', 'list-a'])
  await tagged(['list-b', 'list-c'])
  const { status, body } = await corvus.call('GET', 'tags?filter[name]=list-')
  assert.equal(status, 200)
  assert.deepEqual(body, {
    count: 3,
    data: [
      { name: 'list-b', count: 2 },
      { name: 'list-a', count: 1 },
      { name: 'list-c', count: 1 },
    ],
    limit: 100,
    offset: 0,
    total_count: 3,
    cursor: null,
  })
  assert.deepEqual(await names('filter[name]=list-&sort=name'), ['list-a', 'list-b', 'list-c'])
  assert.deepEqual(await names('filter[name]=list-&sort=-name'), ['list-c', 'list-b', 'list-a'])
  assert.deepEqual(await names('filter[name]=list-&sort=count'), ['list-a', 'list-c', 'list-b'])
  assert.deepEqual(await names('filter[name]=list-&sort=-count,-name'), ['list-b', 'list-c', 'list-a'])
  const page = (await corvus.call('GET', 'tags?filter[name]=list-&sort=name&limit=1&offset=1')).body
  assert.deepEqual([page.count, page.data[0].name, page.limit, page.offset, page.total_count], [1, 'list-b', 1, 1, 3])
  const beyond = (await corvus.call('GET', 'tags?filter[name]=list-&offset=9')).body
  assert.deepEqual([beyond.count, beyond.data, beyond.total_count], [0, [], 3])
  assert.deepEqual((await corvus.call('GET', 'tags?filter[name]=list-&data=false')).body, { total_count: 3 })
})

test('tags are found by a part of their name in any case, or by a pattern', async () => {
  await tagged(['Filter Ärger', 'filter 100%', 'filter_x', 'my filter', 'filter\\'])
  assert.deepEqual(await names('filter[name]=filter ärg'), ['Filter Ärger'])
  assert.deepEqual(await names('filter[name]=%25'), ['filter 100%'])
  assert.deepEqual(await names('filter[name]=filter_'), ['filter_x'])
  assert.deepEqual(await names('filter[name]=ER%5C'), ['filter\\'])
  assert.deepEqual(await names('filter[name]=filter*r'), ['Filter Ärger'])
  assert.deepEqual(await names('filter[name]=*FILTER'), ['my filter'])
  assert.deepEqual(await names('filter[name]=filter_x&filter[name]=*filter&sort=name'), ['filter_x', 'my filter'])
  assert.deepEqual(await names('filter[name]=no such tag'), [])
})

test('a wrong sort, filter or page is a 400', async () => {
  for (const query of ['sort=id', 'sort=name,x', 'filter[count]=1', 'filter[!name]=a', 'limit=0', 'offset=-1']) {
    const { status, body } = await corvus.call('GET', `tags?${query}`)
    assert.equal(status, 400, query)
    assert.match(body[0].detail, /sort|filter|limit|offset/)
  }
})

test('a tag is renamed on all entities that have it, and they are found by the new name alone', async () => {
  const one = await tagged(['before', 'Old', 'after'], { observables: [{ type: 'domain', value: 'tags.example' }] })
  const two = await tagged(['Old'])
  const other = await tagged(['old'])
  const { status, body } = await rename('Old', ' New ')
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(body, { data: { name: 'New', count: 2, changed: 2 } })
  const now = await read(one.id)
  assert.deepEqual(now.meta.tags, ['before', 'New', 'after'])
  assert.ok(now.last_updated_at > one.last_updated_at)
  assert.deepEqual(
    { ...now, meta: null, last_updated_at: null, relevancy: null },
    { ...one, meta: null, last_updated_at: null, relevancy: null },
  )
  assert.deepEqual(await found('new'), [one.id, two.id])
  assert.deepEqual(await found('old'), [other.id], 'case matters')
  assert.deepEqual(await found('before'), [one.id])
  assert.equal((await read(other.id)).last_updated_at, other.last_updated_at)
})

test('what an entity was before is kept as a version, and the change is in the log', async () => {
  await corvus.call('POST', 'taxonomies', { data: { path: 'Tagged/by' } })
  const meta = {
    tags: ['versioned', 'x'],
    taxonomies: ['Tagged/by'],
    attacks: ['TA0001:T1566'],
    alias: 'Other name',
    tlp_color: 'GREEN',
    half_life: 7,
    estimated_threat_start_time: '2024-01-29T07:42:07.5Z',
    estimated_threat_end_time: null,
    estimated_observed_time: '2024-01-29T07:42:07.059329Z',
  }
  const { id } = (await corvus.call('POST', 'entities', { data: { data: { type: 'tool', title: 'v' }, meta } })).body
    .data
  const byPatch = await corvus.call('PATCH', `entities/${id}`, { data: { meta: { tags: ['versioned', 'y'] } } })
  assert.equal(byPatch.status, 200)
  await rename('versioned', 'renamed')
  const { body } = await corvus.call('GET', `entities/${id}/versions`)
  assert.deepEqual(
    body.data.map(({ version }: { version: number }) => version),
    [2, 1],
  )
  const [latest, first] = body.data
  assert.deepEqual({ ...latest.meta, tags: [] }, { ...first.meta, tags: [] }, 'as a PATCH keeps it')
  assert.deepEqual(
    [latest.meta.tags, first.meta.tags],
    [
      ['versioned', 'y'],
      ['versioned', 'x'],
    ],
  )
  assert.equal(latest.last_updated_at, byPatch.body.data.last_updated_at)
  const { rows } = await corvus.pool.query('select resource, kind, ids from changes order by id desc limit 1')
  assert.deepEqual(rows, [{ resource: 'entities', kind: 'update', ids: [id] }])
  const { rows: stored } = await corvus.pool.query('select version from entities where id = $1', [id])
  assert.equal(stored[0].version, 3)
})

test('renaming onto a tag that is there makes the two one', async () => {
  const both = await tagged(['apt 1', 'middle', 'apt-1'])
  const one = await tagged(['apt 1'])
  const other = await tagged(['apt-1'])
  assert.deepEqual((await rename('apt 1', 'apt-1')).body.data, { name: 'apt-1', count: 3, changed: 2 })
  assert.deepEqual(await tagsOf(both.id), ['apt-1', 'middle'])
  assert.deepEqual(await tagsOf(one.id), ['apt-1'])
  assert.equal((await read(other.id)).last_updated_at, other.last_updated_at)
  assert.deepEqual(await found('apt 1'), [])
})

test('tags that differ in case alone can be renamed into each other, and stay found', async () => {
  const one = await tagged(['Emotet'])
  const both = await tagged(['Emotet', 'EMOTET'])
  assert.deepEqual((await rename('Emotet', 'emotet')).body.data, { name: 'emotet', count: 2, changed: 2 })
  assert.deepEqual([await tagsOf(one.id), await tagsOf(both.id)], [['emotet'], ['emotet', 'EMOTET']])
  assert.deepEqual(await found('emotet'), [one.id, both.id])
  assert.equal((await rename('emotet', 'heodo')).body.data.changed, 2)
  assert.deepEqual(await tagsOf(both.id), ['heodo', 'EMOTET'])
  assert.deepEqual(await found('Emotet'), [both.id], 'by the tag that is left')
  assert.equal((await corvus.call('DELETE', at('EMOTET'))).status, 204)
  assert.deepEqual(await found('Emotet'), [])
  assert.deepEqual(await found('heodo'), [one.id, both.id])
})

test('several tags are merged into one', async () => {
  const one = await tagged(['ransom', 'x', 'Ransom Ware'])
  const two = await tagged(['ransomware', 'ransom'])
  assert.deepEqual((await merge(['ransom', 'Ransom Ware', 'never seen'], 'ransomware')).body.data, {
    name: 'ransomware',
    count: 2,
    changed: 2,
  })
  assert.deepEqual([await tagsOf(one.id), await tagsOf(two.id)], [['ransomware', 'x'], ['ransomware']])
  assert.deepEqual((await merge(['ransom', 'ransomware'], 'ransomware')).body.data.changed, 0)
  assert.deepEqual((await merge(['ransomware', 'x'], 'x')).body.data, {
    name: 'x',
    count: await countOf('x'),
    changed: 2,
  })
})

const countOf = async (name: string) =>
  (await list(`filter[name]=${name}&limit=500`)).find((tag) => tag.name === name)?.count

test('a tag is taken off all entities', async () => {
  const one = await tagged(['gone', 'left'])
  const only = await tagged(['gone'])
  const deleted = await corvus.call('DELETE', at('gone'))
  assert.deepEqual([deleted.status, deleted.body], [204, ''])
  assert.deepEqual([await tagsOf(one.id), await tagsOf(only.id)], [['left'], []])
  assert.deepEqual(await found('gone'), [])
  assert.deepEqual(await found('left'), [one.id])
  assert.equal((await corvus.call('DELETE', at('gone'))).status, 404)
})

test('names in paths may be anything', async () => {
  const odd = [
    'a/b',
    'a%2Fb',
    '100%',
    'c++ #1?&=;',
    'v1.2.3',
    '.hidden',
    'Ünï 日本語 🦅',
    `it's "q" \\ back`,
    'merge',
    'a b',
    'x:y & !z | (w)',
    '語'.repeat(500),
  ]
  for (const name of odd) {
    const { id } = await tagged([name, 'odd'])
    const renamed = await rename(name, `${name.slice(0, 400)} (new)`)
    assert.equal(renamed.status, 200, `${name} ${JSON.stringify(renamed.body)}`)
    assert.deepEqual(await tagsOf(id), [`${name.slice(0, 400)} (new)`, 'odd'])
    assert.deepEqual(await found(`${name.slice(0, 400)} (new)`), [id])
    await rename(`${name.slice(0, 400)} (new)`, name)
    assert.deepEqual(await found(name), [id])
    assert.equal((await corvus.call('DELETE', at(name))).status, 204, name)
    assert.deepEqual(await tagsOf(id), ['odd'])
  }
})

test('wrong input is a 400 that names the field, and an unknown tag a 404', async () => {
  await tagged(['right'])
  for (const [answer, detail] of [
    [rename('right', ''), /^data\.name: must have at least 1 character/],
    [rename('right', '   '), /^data\.name: must have at least 1 character/],
    [rename('right', 'x'.repeat(501)), /^data\.name: must have at most 500 characters/],
    [rename('right', 7), /^data\.name: must be of type string/],
    [rename('right', 'a\u0000'), /^data\.name: must not contain the NUL/],
    [rename('right', 'a\ud800'), /^data\.name: must not contain half/],
    [rename('right', undefined), /^data\.name: is required/],
    [merge([], 'x'), /^data\.tags: must have at least 1 item/],
    [merge('right', 'x'), /^data\.tags: must be of type array/],
    [merge(['right', 7], 'x'), /^data\.tags\[1\]: must be of type string/],
    [merge(['right'], ' '), /^data\.into: must have at least 1 character/],
  ] as const) {
    const { status, body } = await answer
    assert.equal(status, 400, JSON.stringify(body))
    assert.match(body[0].detail, detail)
  }
  for (const answer of [
    rename('unknown', 'right'),
    rename('unknown', 'unknown'),
    rename('RIGHT', 'x'),
    merge(['unknown', 'too'], 'right'),
    corvus.call('DELETE', at('unknown')),
  ]) {
    const { status, body } = await answer
    assert.equal(status, 404, JSON.stringify(body))
    assert.match(body[0].detail, /^The resource '(unknown|RIGHT)' does not exist\.$/)
  }
  assert.deepEqual((await rename('right', 'right')).body.data, { name: 'right', count: 1, changed: 0 })
})

test('only entities that the caller may see are counted and changed', async () => {
  const source = await hiddenSource('Behind the curtain')
  const secret = await tagged(['shared', 'secret tag'], { sources: [source] })
  const open = await tagged(['shared'])
  const other = await tagged(['shared'], { sources: [source] })
  assert.deepEqual(await list('filter[name]=shared'), [{ name: 'shared', count: 1 }])
  assert.deepEqual(await list('filter[name]=secret tag'), [])
  for (const answer of [
    rename('secret tag', 'x'),
    corvus.call('DELETE', at('secret tag')),
    merge(['secret tag'], 'x'),
  ]) {
    assert.equal((await answer).status, 404)
  }
  assert.deepEqual((await rename('shared', 'public')).body.data, { name: 'public', count: 1, changed: 1 })
  assert.deepEqual(await tagsOf(open.id), ['public'])
  const { rows } = await corvus.pool.query('select tags, version from entities where id = any($1)', [
    [secret.id, other.id],
  ])
  assert.deepEqual(
    rows.map(({ tags, version }) => [tags[0], version]),
    [
      ['shared', 1],
      ['shared', 1],
    ],
  )
})

test('tags are read by who may read entities, and changed by who may modify them', async () => {
  await tagged(['permitted'])
  const reader = await corvus.tokenFor(['read entities'])
  const writer = await corvus.tokenFor(['modify entities'])
  assert.equal((await corvus.call('GET', 'tags', undefined, reader)).status, 200)
  assert.equal((await corvus.call('GET', 'tags', undefined, writer)).status, 403)
  for (const [method, path, data] of [
    ['PATCH', at('permitted'), { name: 'permitted still' }],
    ['POST', 'tags/merge', { tags: ['permitted still'], into: 'permitted' }],
    ['DELETE', at('permitted'), undefined],
  ] as const) {
    const refused = await corvus.call(method, path, data && { data }, reader)
    assert.equal(refused.body[0].detail, 'Missing permissions: [modify entities]')
    assert.ok((await corvus.call(method, path, data && { data }, writer)).status < 300)
  }
})

test('a rename takes the same number of statements for one entity and for three hundred', async () => {
  await tagged(['few'])
  const data = Array.from({ length: 300 }, (_, i) => ({
    data: { type: 'malware', title: `m ${i}` },
    meta: { tags: ['many'] },
  }))
  assert.equal((await corvus.call('PUT', 'entities', { data })).status, 201)
  statements = 0
  await rename('few', 'several')
  const few = statements
  statements = 0
  assert.equal((await rename('many', 'lots')).body.data.changed, 300)
  assert.equal(statements, few)
})

test('changes of the same tag at once lose nothing', async () => {
  const ids: string[] = []
  for (let i = 0; i < 6; i++) ids.push((await tagged(['race', `racer ${i}`])).id)
  const answers = await Promise.all([
    rename('race', 'race a'),
    rename('race', 'race b'),
    merge(['race', 'race a', 'race b'], 'race c'),
    ...ids.map((id, i) => corvus.call('PATCH', `entities/${id}`, { data: { data: { title: `now ${i}` } } })),
    corvus.call('DELETE', at('race')),
  ])
  for (const { status, body } of answers) assert.ok([200, 204, 404].includes(status), JSON.stringify(body))
  for (const [i, id] of ids.entries()) {
    const { data, meta } = await read(id)
    assert.equal(data.title, `now ${i}`)
    assert.equal(meta.tags.at(-1), `racer ${i}`)
    for (const tag of ['race', 'race a', 'race b', 'race c']) {
      assert.equal((await found(tag)).includes(id), meta.tags.includes(tag), tag)
    }
  }
})
