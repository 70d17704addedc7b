import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, corvus, found, list, merge, read, rename, tagged, tagsOf } from '../../../test/set-up/tags.ts'

const countOf = async (name: string) =>
  (await list(`filter[name]=${name}&limit=500`)).find((tag) => tag.name === name)?.count

test('a tag is renamed on all its entities, which are found only by the new name', async () => {
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

test('the previous state is kept as a version, and the change is logged', async () => {
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

test('renaming a tag to an existing one merges them', async () => {
  const both = await tagged(['apt 1', 'middle', 'apt-1'])
  const one = await tagged(['apt 1'])
  const other = await tagged(['apt-1'])
  assert.deepEqual((await rename('apt 1', 'apt-1')).body.data, { name: 'apt-1', count: 3, changed: 2 })
  assert.deepEqual(await tagsOf(both.id), ['apt-1', 'middle'])
  assert.deepEqual(await tagsOf(one.id), ['apt-1'])
  assert.equal((await read(other.id)).last_updated_at, other.last_updated_at)
  assert.deepEqual(await found('apt 1'), [])
})

test('tags that only differ in case can be renamed into each other, and are still found', async () => {
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

test('a tag is removed from all entities', async () => {
  const one = await tagged(['gone', 'left'])
  const only = await tagged(['gone'])
  const deleted = await corvus.call('DELETE', at('gone'))
  assert.deepEqual([deleted.status, deleted.body], [204, ''])
  assert.deepEqual([await tagsOf(one.id), await tagsOf(only.id)], [['left'], []])
  assert.deepEqual(await found('gone'), [])
  assert.deepEqual(await found('left'), [one.id])
  assert.equal((await corvus.call('DELETE', at('gone'))).status, 404)
})

test('a rename takes the same number of statements for one entity and for three hundred', async () => {
  await tagged(['few'])
  const data = Array.from({ length: 300 }, (_, i) => ({
    data: { type: 'malware', title: `m ${i}` },
    meta: { tags: ['many'] },
  }))
  assert.equal((await corvus.call('PUT', 'entities', { data })).status, 201)
  const few = await corvus.statementsOf(() => rename('few', 'several'))
  const many = await corvus.statementsOf(async () => {
    assert.equal((await rename('many', 'lots')).body.data.changed, 300)
  })
  assert.equal(many, few)
})

test('concurrent changes of the same tag lose nothing', async () => {
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
