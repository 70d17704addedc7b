import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Asked, startUnified } from '../../../test/set-up/unified-entities.ts'

let corvus: Awaited<ReturnType<typeof startUnified>>
/** Contributors of one unified entity, of two sources. */
let one: string
let two: string
let unified: string
/** An entity that contributes to nothing. */
let other: string
let stixId: string

const REQUESTS: readonly Asked[] = [
  'entities?sort=created_at',
  'entities?consolidation=unified&sort=created_at',
  'entities?consolidation=contributors',
  'entities?query=bear&consolidation=unified&sort=-_score',
  'entities?query=meta.is_unified_entity:true',
  'entities?query=_exists_:meta.is_contributor_to',
  'entities?filter[meta.is_contributor_to]=null',
  'entities?data=false&consolidation=unified',
  'aggregations/entities/counts?fields=type,tags,meta.is_unified_entity,sources.name&consolidation=unified',
].map((path) => ['GET', path])
let compareOutside: () => Promise<void>

const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id).sort()
const list = async (query: string, token?: string) => idsOf(await corvus.get(`entities?${query}`, token))
const sorted = (...ids: string[]) => ids.sort()

before(async () => {
  corvus = await startUnified()
  const { first, second } = corvus.sources
  one = await corvus.make(first, 'Fancy Bear', { meta: { tags: ['left'] } })
  two = await corvus.make(second, 'Fancy Bear', { meta: { tags: ['right'], tlp_color: 'AMBER' } })
  other = await corvus.make(first, 'Other Bear')
  compareOutside = await corvus.rememberOutside(REQUESTS)
  unified = await corvus.unify([one, two], 'Fancy Bear')
  stixId = (await corvus.get(`entities/${unified}`)).data.data.id
})
after(() => corvus.stop())

test('a list shows everything by default, or the unified entities in place of their contributors, or only the contributors', async () => {
  assert.deepEqual(await list(''), sorted(one, two, other, unified))
  assert.deepEqual(await list('consolidation=all'), sorted(one, two, other, unified))
  assert.deepEqual(await list('consolidation=unified'), sorted(other, unified))
  assert.deepEqual(await list('consolidation=contributors'), sorted(one, two, other))
})

test('who does not see all contributors gets the same answers as without the unified entity', async () => {
  await compareOutside()
  assert.deepEqual(await list('consolidation=unified', corvus.readers.outsider), sorted(one, other))
})

test('a contributor is left out only if its unified entity is in the result', async () => {
  assert.deepEqual(await list('query=tags:left&consolidation=unified'), [unified])
  assert.deepEqual(await list('filter[data.id]=x&consolidation=unified'), [])
  const own = (await corvus.get(`entities/${one}`)).data.data.id
  assert.deepEqual(await list(`filter[data.id]=${encodeURIComponent(own)}&consolidation=unified`), [one])
  assert.deepEqual(await list(`filter[sources]=${corvus.sources.first}&consolidation=unified`), sorted(one, other))
  assert.deepEqual(
    await list('query=bear AND meta.is_unified_entity:false&consolidation=unified'),
    sorted(one, two, other),
  )
})

test('pages, totals and counts agree with the list', async () => {
  for (const sort of ['created_at', '-created_at', 'meta.title', '-last_updated_at']) {
    const found: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const asked = `query=bear&consolidation=unified&sort=${sort}&limit=1${cursor && `&page[cursor]=${cursor}`}`
      const page = await corvus.get(`entities?${asked}`)
      assert.equal(page.total_count, 2)
      found.push(...page.data.map(({ id }: { id: string }) => id))
      cursor = page.cursor
    }
    assert.deepEqual(found.sort(), sorted(other, unified))
  }
  assert.deepEqual(await corvus.get('entities?data=false&consolidation=unified'), { total_count: 2 })
  assert.deepEqual(await corvus.get('entities?data=false'), { total_count: 4 })
  const page = await corvus.get('entities?consolidation=unified&limit=1&attributes=meta.is_unified_entity')
  assert.deepEqual(Object.keys(page.data[0]), ['meta'])
})

test('a cursor belongs to one consolidation', async () => {
  const { cursor } = await corvus.get('entities?consolidation=unified&limit=1')
  const refused = await corvus.call('GET', `entities?limit=1&page[cursor]=${cursor}`)
  assert.equal(refused.status, 400)
})

test('another value is refused together with the other errors', async () => {
  const { status, body } = await corvus.call('GET', 'entities?consolidation=some&sort=nothing')
  assert.equal(status, 400)
  assert.equal(body.length, 2)
  assert.match(JSON.stringify(body), /consolidation: 'some' is not one of all, unified, contributors/)
})

test('aggregations and counts take the same choice', async () => {
  const counts = await corvus.get('aggregations/entities/counts?fields=type&consolidation=unified')
  assert.deepEqual(counts.data, [{ count: 2, field: 'type', value: 'threat-actor' }])
  for (const [consolidation, count] of [
    [undefined, 4],
    ['all', 4],
    ['unified', 2],
    ['contributors', 3],
  ] as const) {
    const found = await corvus.post('aggregations/entities', { query: 'bear', group_by: 'type', consolidation })
    assert.equal(found.total_count, count)
    assert.deepEqual(found.aggregations[0].values, [['threat-actor', count]])
  }
  assert.equal(
    (await corvus.call('POST', 'aggregations/entities', { data: { group_by: 'type', consolidation: 'x' } })).status,
    400,
  )
  const names = await corvus.get('aggregations/entities/counts?fields=sources.name&query=meta.is_unified_entity:true')
  assert.deepEqual(names.data, [{ count: 1, field: 'sources.name', value: 'Merge group' }])
})

test('widgets take it as a setting', async () => {
  const make = async (type: string, more: object) =>
    (await corvus.post('widgets', { name: `${type} ${JSON.stringify(more)}`, type, query: 'bear', ...more })).id
  const data = async (id: number) => (await corvus.get(`widgets/${id}/data`)).data
  assert.equal((await data(await make('number', { settings: { consolidation: 'unified' } }))).total_count, 2)
  assert.equal((await data(await make('list', { settings: { consolidation: 'contributors' } }))).total_count, 3)
  const aggregation = { group_by: 'type', consolidation: 'unified' }
  assert.equal((await data(await make('pie', { aggregation }))).total_count, 2)
})

test('the meta fields of consolidation can be searched and filtered by', async () => {
  const asked = encodeURIComponent(stixId)
  assert.deepEqual(await list('query=meta.is_unified_entity:true'), [unified])
  assert.deepEqual(await list('filter[meta.is_unified_entity]=true'), [unified])
  assert.deepEqual(await list('filter[meta.is_unified_entity]=false'), sorted(one, two, other))
  assert.deepEqual(await list(`query=meta.is_contributor_to:"${asked}"`), sorted(one, two))
  assert.deepEqual(await list('query=meta.is_contributor_to:*unified*'), sorted(one, two))
  assert.deepEqual(await list('query=_exists_:meta.is_contributor_to'), sorted(one, two))
  assert.deepEqual(await list(`filter[meta.is_contributor_to]=${asked}`), sorted(one, two))
  assert.deepEqual(await list('filter[meta.is_contributor_to]=null'), sorted(other, unified))
  assert.deepEqual(await list('query=meta.is_exempt_from_consolidation:true'), [])
  assert.deepEqual(await list(`query=meta.is_contributor_to:"${asked}"`, corvus.readers.outsider), [])
  assert.deepEqual(await list(`filter[meta.is_contributor_to]=${asked}`, corvus.readers.outsider), [])
})

test('the fields are among the search fields, with examples of what the reader sees', async () => {
  const examplesFor = async (token?: string) => {
    const { data } = await corvus.get('search/fields?prefix=meta.is_', token)
    return Object.fromEntries(data.map(({ name, examples }: { name: string; examples: string[] }) => [name, examples]))
  }
  const seen = await examplesFor()
  assert.deepEqual(seen['meta.is_contributor_to'], [stixId])
  assert.deepEqual(seen['meta.is_unified_entity'], ['false', 'true'])
  assert.deepEqual(seen['meta.is_exempt_from_consolidation'], ['false'])
  const unseen = await examplesFor(corvus.readers.outsider)
  assert.deepEqual(unseen['meta.is_contributor_to'], [])
  assert.deepEqual(unseen['meta.is_unified_entity'], ['false'])
  const found = await corvus.get('aggregations/entities/counts?fields=meta.is_contributor_to')
  assert.deepEqual(found.data, [{ count: 2, field: 'meta.is_contributor_to', value: stixId }])
  const hidden = await corvus.get('aggregations/entities/counts?fields=meta.is_contributor_to', corvus.readers.outsider)
  assert.deepEqual(hidden.data, [])
})

test('an exempt entity is found', async () => {
  await corvus.pool.query('insert into consolidation_exemptions (entity) values ($1)', [other])
  assert.deepEqual(await list('query=meta.is_exempt_from_consolidation:true'), [other])
  assert.deepEqual(await list('filter[meta.is_exempt_from_consolidation]=true'), [other])
})
