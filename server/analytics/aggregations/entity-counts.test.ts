import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { isCounted } from '../../../test/set-up/counting.ts'
import { chanceOf } from '../../../test/visibility/chance.ts'
import { entityFieldNames } from '../../intelligence/entities/search-fields.ts'

interface CountRecord {
  readonly count: number
  readonly field: string
  readonly value: string
}

/** A generated entity, from which the expected counts are computed. */
interface Drawn {
  readonly data: {
    type: string
    title: string
    confidence?: string
    aliases?: string[]
    timestamp: string
    more: unknown
  }
  readonly meta: { tags: string[]; tlp_color: string; half_life: number; taxonomies: string[]; attacks: string[] }
  readonly observables: { type: string; value: string }[]
  readonly sources: string[]
}

const TYPES = ['malware', 'tool', 'campaign']
const TAGS = ['Alpha', 'alpha', 'beta', 'ünï']
const COLOURS = ['WHITE', 'GREEN', 'AMBER']
const PATHS = ['Sectors/Finance', 'Sectors/Health', 'Regions']
const ATTACKS = ['TA0001', 'TA0001:T1566']
const DAYS = ['2024-01-29T23:30:00+00:00', '2024-01-29T01:00:00+00:00', '2024-02-01T00:30:00+02:00']
const OBSERVABLES = ['domain a.example', 'domain b.example', 'ipv4 192.0.2.1']

let corvus: Awaited<ReturnType<typeof startApp>>
let statements = 0
let drawn: Drawn[] = []
/** A source that every caller here sees, and one that none does. */
let seen = ''
let hidden = ''

before(async () => {
  corvus = await startApp((statement) => {
    if (!isCounted(statement)) return
    statements++
  })
  hidden = (await corvus.blindGroup('Behind the curtain')).source
  for (const path of PATHS) await corvus.call('POST', 'taxonomies', { data: { path } })
  const [group] = (await corvus.call('GET', 'groups?filter[name]=Default')).body.data
  seen = group.source
  const chance = chanceOf(11)
  drawn = Array.from({ length: 150 }, (_, i) => ({
    data: {
      type: chance.pick(TYPES),
      title: `counted ${i % 40}`,
      ...(chance.flip(0.6) && { confidence: chance.pick(['low', 'high']) }),
      ...(chance.flip() && { aliases: Array.from({ length: 3 }, () => chance.pick(['x', 'y', 'z'])) }),
      timestamp: chance.pick(DAYS),
      more: chance.pick<unknown>([
        { deep: 1 },
        { deep: [3, [4, [1]], { deep: 5 }] },
        [{ deep: 1 }, { deep: [2, 1] }],
        { deep: true },
        { deep: '' },
        null,
      ]),
    },
    meta: {
      tags: chance.some(TAGS, 0.4),
      tlp_color: chance.pick(COLOURS),
      half_life: 1 + chance.below(3),
      taxonomies: chance.some(PATHS, 0.3),
      attacks: chance.some(ATTACKS, 0.3),
    },
    observables: chance.some(OBSERVABLES, 0.3).map((named) => {
      const [type = '', value = ''] = named.split(' ')
      return { type, value }
    }),
    sources: [chance.flip(0.7) ? seen : hidden],
  }))
  const { status, body } = await corvus.call('PUT', 'entities', { data: drawn })
  assert.equal(status, 201, JSON.stringify(body).slice(0, 500))
})
after(() => corvus.stop())

const counts = async (query: string, token?: string) => {
  const { status, body } = await corvus.call('GET', `aggregations/entities/counts?${query}`, undefined, token)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data as CountRecord[]
}

const day = (time: string) => new Date(time).toISOString().slice(0, 10)
const deep = (more: unknown): string[] =>
  [more]
    .flat()
    .flatMap((item) =>
      [(item as { deep?: unknown } | null)?.deep ?? []]
        .flat(9)
        .filter((value) => typeof value !== 'object')
        .map(String),
    )
    .filter(Boolean)

const naive: Record<string, (entity: Drawn) => readonly string[]> = {
  type: ({ data }) => [data.type],
  'data.type': ({ data }) => [data.type],
  tags: ({ meta }) => meta.tags,
  'meta.tags': ({ meta }) => meta.tags,
  'meta.tlp_color': ({ meta }) => [meta.tlp_color],
  'meta.half_life': ({ meta }) => [String(meta.half_life)],
  'meta.taxonomy_paths': ({ meta }) => meta.taxonomies,
  'meta.attacks': ({ meta }) => meta.attacks,
  'extracts.kind': ({ observables }) => observables.map(({ type }) => type),
  'extracts.value': ({ observables }) => observables.map(({ value }) => value),
  'data.title': ({ data }) => [data.title],
  'data.confidence': ({ data }) => (data.confidence ? [data.confidence] : []),
  'data.aliases': ({ data }) => data.aliases ?? [],
  'data.timestamp': ({ data }) => [day(data.timestamp)],
  'data.more.deep': ({ data }) => deep(data.more),
}

/** Counts by checking every entity. */
function count(entities: readonly Drawn[], field: string, limit = 100): CountRecord[] {
  const values = entities.flatMap((entity) => [...new Set(naive[field]?.(entity) ?? [])])
  return [...Map.groupBy(values, (value) => value)]
    .map(([value, { length }]) => ({ count: length, field, value }))
    .sort((a, b) => b.count - a.count || Buffer.compare(Buffer.from(a.value), Buffer.from(b.value)))
    .slice(0, limit)
}

const visible = () => drawn.filter(({ sources }) => sources[0] === seen)

test('the counts match a check of every entity, for all fields at once', async () => {
  const fields = Object.keys(naive)
  assert.deepEqual(
    await counts(`fields=${fields.join()}`),
    fields.flatMap((field) => count(visible(), field)),
  )
})

test('filters and queries select the entities, and the limit applies per field', async () => {
  const fields = ['tags', 'data.title', 'extracts.value']
  const cases: [string, (entity: Drawn) => boolean][] = [
    ['filter[type]=tool', ({ data }) => data.type === 'tool'],
    [
      'filter[type]=tool&filter[type]=malware&filter[!tags]=beta',
      (e) => e.data.type !== 'campaign' && !e.meta.tags.includes('beta'),
    ],
    [
      'query=meta.tlp_color:GREEN AND data.confidence:high',
      (e) => e.meta.tlp_color === 'GREEN' && e.data.confidence === 'high',
    ],
    ['query=tags:beta&filter[data.type]=campaign', (e) => e.meta.tags.includes('beta') && e.data.type === 'campaign'],
    ['query=tags:nobody', () => false],
  ]
  for (const [query, isMeant] of cases) {
    assert.deepEqual(
      await counts(`fields=${fields.join()}&limit=2&${query}`),
      fields.flatMap((field) => count(visible().filter(isMeant), field, 2)),
      query,
    )
  }
})

test('only visible entities are counted', async () => {
  const token = await corvus.tokenFor(['read entities'])
  assert.deepEqual(await counts('fields=sources.name', token), [
    { count: visible().length, field: 'sources.name', value: 'Default' },
  ])
  const { rows } = await corvus.pool.query('select max(id) as id from users')
  const readers = { name: 'Readers', users: [rows[0].id], sources: [`${hidden}?allowed_tlp=RED`] }
  await corvus.call('POST', 'groups', readers)
  assert.deepEqual(await counts('fields=sources.name,tags', token), [
    { count: visible().length, field: 'sources.name', value: 'Default' },
    { count: drawn.length - visible().length, field: 'sources.name', value: 'Behind the curtain' },
    ...count(drawn, 'tags'),
  ])
  assert.deepEqual(await counts('fields=sources.name'), [
    { count: visible().length, field: 'sources.name', value: 'Default' },
  ])
})

test('every searchable field is counted, and an unknown field has no values', async () => {
  // It contributes to no unified entity.
  const valueless = ['data', 'meta', 'extracts', 'extracts.meta', 'meta.is_contributor_to']
  const rare = ['meta.alias', 'data.names', 'data.names.value', 'data.description', 'data.short_description']
  const whole = {
    data: { type: 'campaign', title: 'whole', names: [{ value: 'n' }], description: 'd', short_description: 's' },
    meta: { alias: 'a', estimated_threat_end_time: '2024-03-01', taxonomies: PATHS, attacks: ATTACKS, tags: ['whole'] },
    observables: [{ type: 'domain', value: 'whole.example' }],
  }
  assert.equal((await corvus.call('POST', 'entities', { data: whole })).status, 201)
  for (const name of entityFieldNames) {
    const found = await counts(`fields=${name}&query=tags:whole`)
    assert.equal(found.length > 0, !valueless.includes(name), name)
    assert.ok(found.every(({ value }) => typeof value === 'string' && value !== ''))
    if (rare.includes(name)) assert.equal(found.length, 1, name)
  }
  const names = [
    'nothing',
    'data.extracts.value',
    'data.nothing',
    'meta.x.0',
    'constructor',
    'data.',
    'data..a',
    'half_life',
  ]
  assert.deepEqual(await counts(`fields=${names.join()}`), [])
  assert.equal((await counts('fields=created_at'))[0]?.value, new Date().toISOString().slice(0, 10))
})

test('missing or too many fields, or an invalid limit, filter or query, is a 400', async () => {
  const many = Array.from({ length: 21 }, (_, i) => `data.f${i}`).join()
  const cases: [string, RegExp][] = [
    ['', /^fields: is required/],
    ['fields=,', /^fields: is required/],
    [`fields=${many}`, /^fields: must have at most 20 names, not 21/],
    ['fields=type&limit=2001', /^limit must be/],
    ['fields=type&filter[nothing]=1', /'nothing' is not a field of entities/],
    ['fields=type&query=(', /^query: /],
  ]
  for (const [query, detail] of cases) {
    const { status, body } = await corvus.call('GET', `aggregations/entities/counts?${query}`)
    assert.equal(status, 400, query)
    assert.match(body[0].detail, detail)
  }
})

test('counting observable values requires permission to read observables', async () => {
  const token = await corvus.tokenFor(['read entities'])
  const { status, body } = await corvus.call(
    'GET',
    'aggregations/entities/counts?fields=extracts.value',
    undefined,
    token,
  )
  assert.deepEqual([status, body[0].detail], [403, 'Missing permissions: [read extracts]'])
})

test('all fields are counted in one statement', async () => {
  statements = 0
  await counts(`fields=${Object.keys(naive).join()}`)
  assert.equal(statements, 1)
})
