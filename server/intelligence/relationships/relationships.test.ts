import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BASE, startApp } from '../../../test/app.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
let sources: string[]
let ids: string[]
before(async () => {
  corvus = await startApp()
  const types = ['indicator', 'malware', 'threat-actor', 'ttp', 'report']
  const { body } = await corvus.call(
    'PUT',
    'entities',
    types.map((type) => ({ data: { type, title: type, id: `rel-${type}` } })),
  )
  ids = body.data.map(({ id }: { id: string }) => id)
  sources = body.data[0].sources
})
after(() => corvus.stop())

const between = (from: number, key: string, to: number, more: object = {}) => ({
  data: { key, source: ids[from], target: ids[to], ...more },
  sources,
})

test('a relationship accepts its ends as id, URL or STIX id, and returns URLs', async () => {
  const { status, body } = await corvus.call('PUT', 'relationships', [
    between(0, 'by-id', 1),
    {
      data: { key: 'by-url', source: `${BASE}/api/v2/entities/${ids[0]}`, target: `/api/v2/entities/${ids[1]}` },
      sources,
    },
    { data: { key: 'by-stix-id', source: 'rel-indicator', target: 'rel-malware' }, sources },
  ])
  assert.equal(status, 201, JSON.stringify(body))
  for (const { data } of body.data) {
    assert.equal(data.source, `${BASE}/api/v2/entities/${ids[0]}`)
    assert.equal(data.target, `${BASE}/api/v2/entities/${ids[1]}`)
  }
})

test('keys have a-z, 0-9 and hyphens, at most 256 characters', async () => {
  const status = async (key: string) => (await corvus.call('PUT', 'relationships', [between(0, key, 2)])).status
  assert.equal(await status('x'.repeat(256)), 201)
  assert.equal(await status('a-9'), 201)
  for (const key of ['x'.repeat(257), 'Uses', 'uses_it', 'é', 'a b']) assert.equal(await status(key), 400, key)
})

test('the only subtype is stix_update_of, and it marks the older entity', async () => {
  assert.equal((await corvus.call('POST', 'relationships', between(0, 'k', 1, { subtype: 'other' }))).status, 400)
  const isOutdated = async (i: number) =>
    (await corvus.call('GET', `entities/${ids[i]}`)).body.data.meta.is_outdated_version
  const made = await corvus.call('POST', 'relationships', between(3, 'newer', 4, { subtype: 'stix_update_of' }))
  assert.equal(made.status, 201)
  assert.equal(await isOutdated(4), true)
  assert.equal(await isOutdated(3), false)
  const moved = { data: { data: { target: ids[2] }, sources } }
  assert.equal((await corvus.call('PATCH', `relationships/${made.body.data.id}`, moved)).status, 200)
  assert.deepEqual([await isOutdated(4), await isOutdated(2)], [false, true])
  assert.equal((await corvus.call('DELETE', `relationships/${made.body.data.id}`)).status, 204)
  assert.equal(await isOutdated(2), false)
})

test('sources are required on POST, PUT and PATCH', async () => {
  const { sources: _, ...bare } = between(0, 'no-source', 1)
  for (const item of [bare, { ...bare, sources: [] }, { ...bare, sources: ['x'] }]) {
    assert.equal((await corvus.call('POST', 'relationships', { data: item })).status, 400)
    assert.equal((await corvus.call('PUT', 'relationships', [item])).status, 400)
  }
  const made = (await corvus.call('POST', 'relationships', between(0, 'patched', 1))).body.data
  const patch = await corvus.call('PATCH', `relationships/${made.id}`, { data: { data: { description: 'd' } } })
  assert.equal(patch.status, 400)
  assert.match(patch.body[0].detail, /^sources: is required/)
})

test('a client may choose the id; PUT finds the relationship by it, otherwise by its ends and key', async () => {
  const id = '11111111-2222-4333-8444-555555555555'
  const first = await corvus.call('PUT', 'relationships', [{ id, ...between(1, 'chosen', 2) }])
  assert.equal(first.status, 201)
  assert.equal(first.body.data[0].id, id)
  const byEnds = await corvus.call('PUT', 'relationships', [between(1, 'chosen', 2, { description: 'by ends' })])
  assert.deepEqual([byEnds.status, byEnds.body.data[0].id], [200, id])
  const byId = await corvus.call('PUT', 'relationships', [{ id, ...between(1, 'renamed', 3) }])
  assert.deepEqual([byId.status, byId.body.data[0].data.key], [200, 'renamed'])
  assert.equal((await corvus.call('POST', 'relationships', between(1, 'renamed', 3))).status, 409)
})

test('times, colour and description are kept, and PATCH merges them', async () => {
  const item = {
    ...between(2, 'detailed', 1, { description: 'first', x_extra: 1 }),
    meta: { estimated_threat_start_time: '2024-01-01', tlp_color: 'CLEAR' },
  }
  const { data } = (await corvus.call('POST', 'relationships', item)).body
  assert.equal(data.meta.estimated_threat_start_time, '2024-01-01T00:00:00.000000+00:00')
  assert.equal(data.meta.tlp_color, 'WHITE')
  assert.equal(data.data.x_extra, 1)
  const patch = { data: { data: { description: null }, meta: { estimated_threat_end_time: '2025-01-01' }, sources } }
  const patched = (await corvus.call('PATCH', `relationships/${data.id}`, patch)).body.data
  assert.equal('description' in patched.data, false)
  assert.equal(patched.meta.estimated_threat_start_time, data.meta.estimated_threat_start_time)
  assert.equal(patched.meta.estimated_threat_end_time, '2025-01-01T00:00:00.000000+00:00')
})

test('flags tell whether STIX defines the relationship', async () => {
  const flags = async (item: object) => {
    const { strict_stix_1, strict_stix_2 } = (await corvus.call('PUT', 'relationships', [item])).body.data[0]
    return [strict_stix_1, strict_stix_2]
  }
  assert.deepEqual(await flags(between(0, 'indicates', 1)), [false, true])
  assert.deepEqual(await flags(between(0, 'indicated-ttps', 3)), [true, false])
  assert.deepEqual(await flags(between(0, 'bogus', 3)), [false, false])
})

test('either end can be filtered by', async () => {
  const count = async (query: string) =>
    (await corvus.call('GET', `relationships?data=false&${query}`)).body.total_count
  await corvus.call('PUT', 'relationships', [between(4, 'filtered', 0), between(1, 'filtered', 4)])
  assert.equal(await count(`filter[key]=filtered&filter[data.source]=${ids[4]}`), 1)
  assert.equal(await count(`filter[data.key]=filtered&filter[data.target]=${ids[4]}`), 1)
  assert.equal(await count(`filter[key]=filtered&filter[entities]=${ids[4]}`), 2)
  assert.equal((await corvus.call('GET', 'relationships?filter[data.source]=no-id')).status, 400)
})

test('an end that does not exist is reported; an unknown STIX id becomes a placeholder', async () => {
  const gone = '00000000-0000-7000-8000-000000000000'
  const items = [between(0, 'fine', 1), { data: { key: 'x', source: gone, target: 'nonsense' }, sources }]
  const refused = await corvus.call('PUT', 'relationships', items)
  assert.equal(refused.status, 400)
  assert.deepEqual(
    refused.body.map(({ detail }: { detail: string }) => detail.split(':')[0]),
    ['[1].data.source', '[1].data.target'],
  )
  const stixId = 'tool--99999999-2222-4333-8444-555555555555'
  const made = await corvus.call('PUT', 'relationships', [
    { data: { key: 'uses', source: ids[2], target: stixId }, sources },
  ])
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const placeholder = (await corvus.call('GET', made.body.data[0].data.target.replace(BASE, ''))).body.data
  assert.equal(placeholder.meta.is_unresolved_idref, true)
  assert.equal(made.body.data[0].strict_stix_2, true, 'the id tells the type')
})

test('loops and duplicates in one request are refused', async () => {
  assert.equal((await corvus.call('POST', 'relationships', between(0, 'loop', 0))).status, 400)
  const twins = await corvus.call('PUT', 'relationships', [between(0, 'twin', 1), between(0, 'twin', 1)])
  assert.equal(twins.status, 400)
  assert.match(twins.body[0].detail, /\[0\] and \[1\]/)
})

test('fifty PUTs of the same relationship at once give one row and no error', async () => {
  const item = {
    data: { key: 'race', source: 'rel-ttp', target: 'malware--12345678-2222-4333-8444-555555555555' },
    sources,
  }
  const answers = await Promise.all(Array.from({ length: 50 }, () => corvus.call('PUT', 'relationships', [item])))
  assert.deepEqual(
    answers.filter(({ status }) => status > 201).map(({ body }) => body),
    [],
  )
  assert.equal(new Set(answers.map(({ body }) => body.data[0].id)).size, 1)
})

test('the same relationship from a source that the caller cannot see is another one', async () => {
  const group = await corvus.blindGroup('Hidden from the caller')
  const hidden = await corvus.call('PUT', 'relationships', [{ ...between(0, 'parallel', 2), sources: [group.source] }])
  assert.equal(hidden.status, 201)
  assert.equal((await corvus.call('GET', `relationships/${hidden.body.data[0].id}`)).status, 404)
  const own = await corvus.call('PUT', 'relationships', [between(0, 'parallel', 2)])
  assert.equal(own.status, 201)
  assert.notEqual(own.body.data[0].id, hidden.body.data[0].id)
})

test('an entity is no longer outdated when the newer one is deleted', async () => {
  const titles = ['Older', 'Newer'].map((title) => ({ data: { type: 'malware', title } }))
  const [older, newer] = (await corvus.call('PUT', 'entities', titles)).body.data
  const data = { key: 'newer', source: newer.id, target: older.id, subtype: 'stix_update_of' }
  assert.equal((await corvus.call('POST', 'relationships', { data, sources })).status, 201)
  const isOutdated = async () => (await corvus.call('GET', `entities/${older.id}`)).body.data.meta.is_outdated_version
  assert.equal(await isOutdated(), true)
  assert.equal((await corvus.call('DELETE', `entities/${newer.id}`)).status, 204)
  assert.equal(await isOutdated(), false)
})
