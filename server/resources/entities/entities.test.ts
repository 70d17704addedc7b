import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BASE, startApp } from '../../../test/app.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

const indicator = (title: string, more: object = {}) => ({ data: { type: 'indicator', title, ...more } })

async function make(item: object) {
  const { status, body } = await corvus.call('POST', 'entities', { data: item })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}

async function count(query: string): Promise<number> {
  const { status, body } = await corvus.call('GET', `entities?data=false&${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.total_count
}

test('what a PUT answers for new entities is what a GET gives', async () => {
  const { body } = await corvus.call('PUT', 'entities', [
    {
      ...indicator('Whole', { description: 'd', x_list: [1, { a: null }], timestamp: '2024-05-01T10:00:00+02:00' }),
      meta: { tags: [' a ', 'b', 'a'], alias: 'Known as', source_reliability: 'B', x_more: { y: 1 } },
      observables: [
        { type: 'domain', value: 'whole.example' },
        { type: 'domain', value: 'WHOLE[.]example' },
      ],
    },
  ])
  const [answered] = body.data
  const read = (await corvus.call('GET', `entities/${answered.id}`)).body.data
  assert.deepEqual({ ...answered, relevancy: 0 }, { ...read, relevancy: 0 })
  assert.ok(Math.abs(answered.relevancy - read.relevancy) < 1e-6)
  assert.deepEqual(read.meta.tags, ['a', 'b'])
  assert.equal(read.observables.length, 1)
  assert.equal(read.meta.title, 'Known as')
  assert.equal(read.data.title, 'Whole')
  assert.equal(read.meta.estimated_threat_start_time, '2024-05-01T08:00:00.000000+00:00')
  assert.equal(read.data.timestamp, '2024-05-01T10:00:00+02:00', 'times in data stay as they were sent')
  assert.equal(read.meta.first_ingest_time, read.created_at)
})

test('an id in the namespace of the installation is made, and another one is kept', async () => {
  const made = await make(indicator('Nameless'))
  assert.match(made.data.id, /^\{http:\/\/corvus\.test\/\}indicator-[0-9a-f-]{36}$/)
  const id = '{http://other.example/}indicator-1234'
  assert.equal((await make(indicator('Named', { id }))).data.id, id)
  assert.equal((await corvus.call('POST', 'entities', indicator('Again', { id }))).status, 409)
  assert.equal(await count(`filter[data.id]=${encodeURIComponent(id)}`), 1)
})

test('the id of the row is not for the client to choose', async () => {
  const id = '00000000-0000-7000-8000-00000000abcd'
  const made = await make({ id, ...indicator('Chosen'), relevancy: 5, incoming_feed: 'x', created_at: 'x' })
  assert.notEqual(made.id, id)
})

test('colours of TLP 2.0 become the older ones, AMBER STRICT as the server is configured', async () => {
  const colour = async (tlp_color: string | null) =>
    (await make({ ...indicator('Coloured'), meta: { tlp_color } })).meta.tlp_color
  assert.equal(await colour('CLEAR'), 'WHITE')
  assert.equal(await colour('AMBER_STRICT'), 'RED')
  assert.equal(await colour(null), null)
  await corvus.call('PATCH', 'configurations/server', { data: { tlp_amber_strict_downgrade: 'AMBER' } })
  assert.equal(await colour('AMBER_STRICT'), 'AMBER')
  assert.equal((await corvus.call('POST', 'entities', { ...indicator('x'), meta: { tlp_color: 'BLUE' } })).status, 400)
})

test('relevancy halves with every half-life, and can be filtered and sorted by', async () => {
  const days = (n: number) => new Date(Date.now() - n * 86_400_000).toISOString()
  const at = (n: number, half_life: number) =>
    make({ ...indicator('Decaying'), meta: { estimated_threat_start_time: days(n), half_life, tags: ['decay'] } })
  const made = [await at(30, 30), await at(10, 10), await at(-5, 10), await at(100_000, 1)]
  const relevancies = made.map(({ relevancy }) => relevancy)
  assert.ok(Math.abs(relevancies[0] - 0.5) < 1e-3 && Math.abs(relevancies[1] - 0.5) < 1e-3)
  assert.equal(relevancies[2], 1)
  assert.ok(relevancies[3] < 1e-100)
  assert.equal(await count('filter[tags]=decay&filter[>relevancy]=0.6'), 1)
  const first = await corvus.call('GET', 'entities?filter[tags]=decay&sort=-relevancy&limit=2')
  const next = await corvus.call(
    'GET',
    `entities?filter[tags]=decay&sort=-relevancy&limit=2&page[cursor]=${first.body.cursor}`,
  )
  const ids = [...first.body.data, ...next.body.data].map(({ id }) => id)
  assert.equal(new Set(ids).size, 4, 'all pages take the relevancy of one moment')
  assert.equal(ids[0], made[2].id)
  assert.equal(ids[3], made[3].id)
})

test('half-lives follow the type', async () => {
  const halfLife = async (type: string) => (await make({ data: { type, title: 't' } })).meta.half_life
  assert.equal(await halfLife('indicator'), 30)
  assert.equal(await halfLife('ttp'), 720)
  assert.equal(await halfLife('threat-actor'), 1000)
  assert.equal(await halfLife('report'), 182)
})

test('a source is that of the first group unless a group is named, and only groups can be', async () => {
  const made = await make(indicator('Of the default group'))
  assert.equal(made.sources.length, 1)
  const group = (await corvus.call('POST', 'groups', { name: 'Other group' })).body.data
  const uuid = group.source.split('/').at(-1)
  const other = await make({ ...indicator('Elsewhere'), sources: [{ source_id: uuid }] })
  assert.deepEqual(other.sources, [group.source])
  assert.equal((await corvus.call('GET', `entities/${other.id}`)).status, 404, 'no group of the caller allows it')
  await corvus.db.insertInto('sources').values({ id: BAD, name: 'Feed', type: 'incoming_feed' }).execute()
  for (const sources of [[], [uuid, uuid], [BAD], ['00000000-0000-7000-8000-000000000001'], ['x']]) {
    const { status, body } = await corvus.call('POST', 'entities', { ...indicator('x'), sources })
    assert.equal(status, 400, JSON.stringify(sources))
    assert.match(body[0].detail, /^sources/)
  }
})
const BAD = '00000000-0000-7000-8000-0000000000fe'

test('an update keeps the previous state as a version, and the same content again changes nothing', async () => {
  const made = await make({ ...indicator('First', { id: 'v-1', description: 'one' }), meta: { tags: ['x'] } })
  const again = await corvus.call('PUT', 'entities', [{ ...indicator('First', { id: 'v-1', description: 'one' }) }])
  assert.equal(again.status, 200)
  assert.equal(again.body.data[0].last_updated_at, made.last_updated_at)
  assert.deepEqual(again.body.data[0].meta.tags, ['x'], 'what is not sent stays')
  await corvus.call('PUT', 'entities', [{ ...indicator('Second', { id: 'v-1' }), meta: { tlp_color: 'GREEN' } }])
  await corvus.call('PATCH', `entities/${made.id}`, { data: { data: { title: 'Third' } } })
  const { body } = await corvus.call('GET', `entities/${made.id}/versions`)
  assert.deepEqual(
    body.data.map((version: { data: { title: string } }) => version.data.title),
    ['Second', 'First'],
  )
  assert.equal(body.data[0].meta.is_outdated_version, true)
  assert.equal(body.data[0].meta.tlp_color, 'GREEN')
  assert.equal(body.total_count, 2)
  const now = (await corvus.call('GET', `entities/${made.id}`)).body.data
  assert.equal(now.data.title, 'Third')
  assert.equal('description' in now.data, false, 'data is replaced as a whole')
  assert.ok(now.last_updated_at > made.last_updated_at)
  assert.equal(now.created_at, made.created_at)
})

test('PATCH merges data and meta, null takes away, and the whole is checked', async () => {
  const made = await make({ ...indicator('Patched', { description: 'd', x_a: { b: 1, c: 2 } }), meta: { alias: 'al' } })
  const patched = await corvus.call('PATCH', `entities/${made.id}`, {
    data: { data: { description: null, x_a: { b: null } }, meta: { tags: ['t'], estimated_threat_start_time: null } },
  })
  assert.equal(patched.status, 200, JSON.stringify(patched.body))
  assert.deepEqual(patched.body.data.data.x_a, { c: 2 })
  assert.equal(patched.body.data.meta.alias, 'al')
  assert.equal(patched.body.data.meta.estimated_threat_start_time, null)
  assert.equal(patched.body.data.relevancy, null)
  const bad = await corvus.call('PATCH', `entities/${made.id}`, {
    data: { data: { title: null }, meta: { half_life: 0 } },
  })
  assert.equal(bad.status, 400)
  assert.equal(bad.body.length, 2, JSON.stringify(bad.body))
})

test('observables come as ids, URLs, type and value, extracts and manual extracts', async () => {
  const known = (await corvus.call('POST', 'observables', { type: 'ipv4', value: '192.0.2.1' })).body.data
  const made = await make({
    ...indicator('Observed', { extracts: [{ kind: 'domain', value: 'extract.example' }] }),
    meta: {
      manual_extracts: [
        {
          kind: 'uri',
          value: 'hxxp://manual[.]example/a',
          link_type: 'sighted',
          classification: 'bad',
          confidence: 'high',
        },
      ],
    },
    observables: [known.id, `${BASE}/api/v2/observables/${known.id}`, { type: 'email', value: 'A@Example.com' }],
  })
  assert.equal(made.observables.length, 4)
  const values = await Promise.all(
    made.observables.map(async (url: string) => (await corvus.call('GET', url.replace(BASE, ''))).body.data),
  )
  const byType = Object.fromEntries(values.map((observable) => [observable.type, observable]))
  assert.equal(byType.uri.value, 'http://manual.example/a')
  assert.equal(byType.uri.meta.maliciousness, 'high')
  assert.equal(byType.email.value, 'a@example.com')
  assert.equal('manual_extracts' in made.meta, false)
  const bad = await corvus.call('POST', 'entities', {
    ...indicator('x', { extracts: [{ kind: 'nonsense', value: 'x' }] }),
    observables: [{ type: 'ipv4', value: '1.2.3.400' }, { type: 'x', value: 'y' }, 999_999_999],
  })
  assert.equal(bad.status, 400)
  assert.equal(bad.body.length, 3, JSON.stringify(bad.body))
})

test('a PUT with observables replaces them, and one without keeps them', async () => {
  const put = async (item: object) => (await corvus.call('PUT', 'entities', [item])).body.data[0]
  const first = await put({
    ...indicator('Links', { id: 'l-1' }),
    observables: [{ type: 'domain', value: 'a.example' }],
  })
  const kept = await put(indicator('Links', { id: 'l-1' }))
  assert.deepEqual(kept.observables, first.observables)
  const changed = await put({
    ...indicator('Links', { id: 'l-1' }),
    observables: [{ type: 'domain', value: 'b.example' }],
  })
  assert.equal(changed.observables.length, 1)
  assert.notDeepEqual(changed.observables, first.observables)
  assert.ok(changed.last_updated_at > first.last_updated_at, 'links are a change')
  assert.deepEqual((await put({ ...indicator('Links', { id: 'l-1' }), observables: [] })).observables, [])
})

test('titles are found by term, phrase and wildcard, whatever the case', async () => {
  await make({ ...indicator('Lazarus Group moves to "quoted" Linux'), meta: { tags: ['titles'] } })
  await make({ ...indicator('Group of nobody'), meta: { tags: ['titles'] } })
  const found = (title: string) => count(`filter[tags]=titles&filter[data.title]=${encodeURIComponent(title)}`)
  assert.equal(await found('lazarus'), 1)
  assert.equal(await found('group'), 2)
  assert.equal(await found('GROUP lazarus'), 1)
  assert.equal(await found('"lazarus group"'), 1)
  assert.equal(await found('"group lazarus"'), 0)
  assert.equal(await found('laz*'), 1)
  assert.equal(await found('*azar*'), 1)
  assert.equal(await found('*'), 2)
  assert.equal(await found('"\\"quoted\\""'), 1)
  assert.equal(await found('azarus'), 0)
  assert.equal(await found('!?'), 0)
  assert.equal(await count('filter[tags]=titles&filter[data.title]=lazarus&filter[data.title]=nobody'), 2)
  assert.equal(await count('filter[tags]=titles&filter[!data.title]=lazarus'), 1)
})

test('types are filtered by their current and their older names', async () => {
  await make({ data: { type: 'eclecticiq-sighting', title: 'Seen' } })
  for (const query of ['filter[type]=vendor-sighting', 'filter[data.type]=eclecticiq-sighting']) {
    assert.equal(await count(query), 1, query)
  }
})

test('taxonomies come by id, URL and path, and unknown ones are named', async () => {
  const nodes = (await corvus.call('POST', 'taxonomies', { data: { path: ['Sector', 'Finance'] } })).body.data
  const [root, leaf] = nodes
  const made = await make({
    ...indicator('Classified'),
    meta: { taxonomies: [leaf.id, `${BASE}/api/v2/taxonomies/${leaf.id}`, 'Sector/Finance', 'Sector'] },
  })
  const url = (id: number) => `${BASE}/api/v2/taxonomies/${id}`
  assert.deepEqual(made.meta.taxonomies, [url(root.id), url(leaf.id)])
  assert.equal(await count(`filter[meta.taxonomies]=${leaf.id}`), 1)
  assert.equal(await count('filter[taxonomies]=Sector/Finance'), 1)
  assert.equal((await corvus.call('DELETE', `entities/${made.id}/taxonomies/${leaf.id}`)).status, 204)
  assert.equal(await count(`filter[meta.taxonomies]=${leaf.id}`), 0)
  assert.equal((await corvus.call('PUT', `entities/${made.id}/taxonomies/${leaf.id}`)).status, 200)
  assert.deepEqual((await corvus.call('GET', `entities/${made.id}/taxonomies`)).body.data, [url(root.id), url(leaf.id)])
  const { status, body } = await corvus.call('POST', 'entities', {
    ...indicator('x'),
    meta: { taxonomies: ['No/Such', 999_999], attacks: ['?!'] },
  })
  assert.equal(status, 400)
  assert.deepEqual(
    body.map(({ detail }: { detail: string }) => detail.split(':')[0]),
    ['meta.taxonomies[0]', 'meta.taxonomies[1]', 'meta.attacks[0]'],
  )
})

test('attacks are kept by their ids, answered as URLs, and have a relation path', async () => {
  const made = await make({ ...indicator('Attacking'), meta: { attacks: ['enterprise-attack', 'TA0001:T1566.001'] } })
  const url = (id: string) => `${BASE}/api/v2/attacks/${id}`
  assert.deepEqual(made.meta.attacks, [url('enterprise-attack'), url('TA0001:T1566.001')])
  const path = `entities/${made.id}/attacks`
  const added = await corvus.call('POST', path, { data: [url('TA0002:T1059'), 'TA0001:T1566.001'] })
  assert.equal(added.status, 200)
  assert.equal(added.body.data.length, 3)
  assert.equal(await count('filter[meta.attacks]=TA0002:T1059'), 1)
  assert.equal((await corvus.call('GET', `${path}/TA0002:T1059`)).status, 200)
  assert.equal((await corvus.call('DELETE', `${path}/TA0002:T1059`)).status, 204)
  assert.equal((await corvus.call('GET', `${path}/TA0002:T1059`)).status, 404)
  assert.equal((await corvus.call('PUT', `${path}/T1059`)).status, 400)
  assert.equal(await count('filter[meta.attacks]=TA0002:T1059'), 0)
})

test('a STIX id that nobody has sent becomes a placeholder, and the entity when it arrives', async () => {
  const ref = 'malware--8d2f1b3c-1111-4222-8333-444455556666'
  await make({
    data: { type: 'report', title: 'Refers', object_refs: [ref, 'ipv4-addr--8d2f1b3c-1111-4222-8333-444455556667'] },
  })
  const placeholder = (await corvus.call('GET', `entities?filter[data.id]=${ref}`)).body.data[0]
  assert.equal(placeholder.meta.is_unresolved_idref, true)
  assert.equal(placeholder.data.type, 'malware')
  assert.equal(await count('filter[meta.is_unresolved_idref]=true'), 1)
  const { status, body } = await corvus.call('PUT', 'entities', [
    { data: { type: 'malware', title: 'Arrived', id: ref } },
  ])
  assert.equal(status, 201, 'nobody had sent it before')
  assert.equal(body.data[0].id, placeholder.id)
  assert.equal(body.data[0].meta.is_unresolved_idref, false)
  assert.equal((await corvus.call('GET', `entities/${placeholder.id}/versions`)).body.total_count, 0)
  assert.equal(await count('filter[meta.is_unresolved_idref]=true'), 0)
})

test('POST /private/entities/ is the same, as sightings are sent by integrations', async () => {
  const { status, body } = await corvus.call('POST', '/private/entities/', {
    data: {
      data: {
        confidence: { type: 'confidence', value: 'Medium' },
        type: 'eclecticiq-sighting',
        title: 'Seen by a SIEM',
        security_control: {
          type: 'information-source',
          time: { type: 'time', start_time: '2024-01-01T00:00:00', start_time_precision: 'second' },
        },
      },
      meta: {
        manual_extracts: [
          { link_type: 'sighted', confidence: 'low', classification: 'bad', value: '203.0.113.9', kind: 'ipv4' },
        ],
        taxonomy: [],
        estimated_threat_start_time: '2024-01-01T00:00:00',
        tags: ['siem', ''],
        ingest_time: '2024-01-01T00:00:00',
      },
    },
  })
  assert.equal(status, 201, JSON.stringify(body))
  assert.equal(body.data.data.type, 'vendor-sighting')
  assert.deepEqual(body.data.data.confidence, { type: 'confidence', value: 'Medium' })
  assert.equal(body.data.observables.length, 1)
  assert.deepEqual(body.data.meta.tags, ['siem'])
})

test('deleting an entity takes all that hangs on it along', async () => {
  const one = await make({ ...indicator('One'), observables: [{ type: 'domain', value: 'hang.example' }] })
  const two = await make(indicator('Two'))
  await corvus.call('PUT', 'relationships', [
    { data: { key: 'related-to', source: one.id, target: two.id }, sources: one.sources },
  ])
  assert.equal((await corvus.call('DELETE', 'entities', [one.id, '00000000-0000-7000-8000-000000000000'])).status, 404)
  assert.equal((await corvus.call('GET', `entities/${one.id}`)).status, 200, 'nothing was deleted')
  assert.equal((await corvus.call('DELETE', 'entities', [one.id])).status, 204)
  const left = await corvus.pool.query(
    `select (select count(*) from entity_observables where source = $1) + (select count(*) from entity_versions where entity_id = $1)
      + (select count(*) from relationships where source = $1 or target = $1) as rows`,
    [one.id],
  )
  assert.equal(left.rows[0].rows, 0)
})
