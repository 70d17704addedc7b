import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corvus, count, indicator, make } from '../../../test/set-up/entities.ts'

const FEED = '00000000-0000-7000-8000-0000000000fe'

test('PUT responds with new entities as GET does', async () => {
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

test('PUT responds with observables in the order of GET, each once', async () => {
  const named = (numbers: readonly number[]) => numbers.map((n) => ({ type: 'domain', value: `n${n}.example` }))
  const few = [5, 3, 9, 3, 1, 9]
  const many = Array.from({ length: 45 }, (_, i) => (i * 7) % 30)
  const lists = [few, many, []]
  // Created in reverse, so that the order of the ids differs from the order in the request.
  await corvus.call('PUT', 'entities', [{ ...indicator('First'), observables: named([9, 1, 29, 5, 0, 3]) }])
  const { body } = await corvus.call(
    'PUT',
    'entities',
    lists.map((numbers) => ({ ...indicator('Ordered'), observables: named(numbers) })),
  )
  assert.deepEqual(
    body.data.map(({ observables }: { observables: unknown[] }) => observables.length),
    [4, 30, 0],
  )
  for (const { id, observables } of body.data) {
    const read = (await corvus.call('GET', `entities/${id}`)).body.data
    assert.deepEqual(observables, read.observables)
  }
})

test('an id in the namespace of the installation is made, and another one is kept', async () => {
  const made = await make(indicator('Nameless'))
  assert.match(made.data.id, /^\{http:\/\/corvus\.test\/\}indicator-[0-9a-f-]{36}$/)
  const id = '{http://other.example/}indicator-1234'
  assert.equal((await make(indicator('Named', { id }))).data.id, id)
  assert.equal((await corvus.call('POST', 'entities', indicator('Again', { id }))).status, 409)
  assert.equal(await count(`filter[data.id]=${encodeURIComponent(id)}`), 1)
})

test('clients cannot choose the id of the row', async () => {
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

test('a source is that of the first group unless another of the caller’s groups is named', async () => {
  const made = await make(indicator('Of the default group'))
  assert.equal(made.sources.length, 1)
  const group = await corvus.blindGroup('Other group')
  const uuid = group.source.split('/').at(-1)
  const other = await make({ ...indicator('Elsewhere'), sources: [{ source_id: uuid }] })
  assert.deepEqual(other.sources, [group.source])
  assert.equal((await corvus.call('GET', `entities/${other.id}`)).status, 404, 'no group of the caller allows it')
  await corvus.db.insertInto('sources').values({ id: FEED, name: 'Feed', type: 'incoming_feed' }).execute()
  for (const [sources, expected] of [
    [[], 400],
    [[uuid, uuid], 400],
    [[FEED], 403],
    [['00000000-0000-7000-8000-000000000001'], 400],
    [['x'], 400],
  ] as const) {
    const { status, body } = await corvus.call('POST', 'entities', { ...indicator('x'), sources })
    assert.equal(status, expected, JSON.stringify(sources))
    assert.match(body[0].detail, /^sources/)
  }
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
