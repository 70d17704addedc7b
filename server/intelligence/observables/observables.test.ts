import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BASE, startApp } from '../../../test/app.ts'
import { EXAMPLES } from '../../domain/observables/examples.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

interface Answer {
  readonly id: number
  readonly type: string
  readonly value: string
}

test('every valid value is stored in its canonical spelling, and found by any spelling', async () => {
  const good = Object.entries(EXAMPLES).flatMap(([type, { good }]) =>
    good.map(([value, kept]) => ({ item: { type, value }, kept })),
  )
  // Duplicates in one request are refused, so each spelling of a value has its own request.
  const rounds = Map.groupBy(good.keys(), (i) => {
    const { item, kept } = good[i] ?? { item: { type: '' }, kept: '' }
    return good.slice(0, i).filter((other) => other.item.type === item.type && other.kept === kept).length
  })
  for (const places of rounds.values()) {
    const items = places.map((i) => good[i])
    const { status, body } = await corvus.call(
      'PUT',
      'observables',
      items.map((each) => each?.item),
    )
    assert.ok(status < 300, JSON.stringify(body))
    assert.deepEqual(
      body.data.map(({ value }: Answer) => value),
      items.map((each) => each?.kept),
    )
  }
  for (const { item, kept } of good) {
    const query = `filter[type]=${encodeURIComponent(item.type)}&filter[value]=${encodeURIComponent(item.value)}`
    if (query.length > 8000) continue
    const { body } = await corvus.call('GET', `observables?${query}`)
    assert.deepEqual(
      body.data.map(({ value }: Answer) => value),
      [kept],
      JSON.stringify(item),
    )
  }
})

test('every invalid value is refused by name', async () => {
  const bad = Object.entries(EXAMPLES).flatMap(([type, { bad }]) => bad.map((value) => ({ type, value })))
  const { status, body } = await corvus.call('PUT', 'observables', bad)
  assert.equal(status, 400)
  const named = new Set(body.map(({ detail }: { detail: string }) => /\[(\d+)\]/.exec(detail)?.[1]))
  assert.deepEqual(
    bad.filter((_, i) => !named.has(String(i))),
    [],
  )
})

test('an unknown type is refused, an older name of a type is read', async () => {
  assert.equal((await corvus.call('POST', 'observables', { type: 'nonsense', value: 'x' })).status, 400)
  const portal = { type: 'fox-it-portal-uri', value: 'https://portal.example/1' }
  const { body } = await corvus.call('POST', 'observables', portal)
  assert.equal(body.data.type, 'vendor-portal-uri')
  const found = await corvus.call('GET', `observables?filter[type]=fox-it-portal-uri&filter[value]=${portal.value}`)
  assert.equal(found.body.total_count, 1)
})

test('maliciousness is one of five levels, and unknown by default', async () => {
  const made = (await corvus.call('POST', 'observables', { type: 'domain', value: 'mal.example' })).body.data
  assert.equal(made.meta.maliciousness, 'unknown')
  for (const maliciousness of ['safe', 'low', 'medium', 'high', 'unknown']) {
    const { status, body } = await corvus.call('PATCH', `observables/${made.id}`, { data: { meta: { maliciousness } } })
    assert.deepEqual([status, body.data?.meta.maliciousness], [200, maliciousness])
  }
  assert.equal(
    (await corvus.call('PATCH', `observables/${made.id}`, { data: { meta: { maliciousness: 'evil' } } })).status,
    400,
  )
  await corvus.call('PUT', 'observables', [{ type: 'domain', value: 'mal.example', meta: { maliciousness: 'high' } }])
  const found = await corvus.call('GET', 'observables?filter[meta.maliciousness]=high&filter[value]=mal.example')
  assert.equal(found.body.total_count, 1)
})

test('card numbers are masked and links defanged in display values', async () => {
  const shown = async (type: string, value: string) =>
    (await corvus.call('PUT', 'observables', [{ type, value }])).body.data[0].display_value
  assert.match(await shown('card', '4111 1111 1111 1111'), /^4\d{0,5}[^\d]+1111$/)
  assert.equal(await shown('uri', 'https://evil.example/x'), 'hxxps://evil[.]example/x')
})

test('a PUT names repeated observables by their positions', async () => {
  const same = { type: 'domain', value: 'repeated.example' }
  const other = { type: 'domain', value: 'other.example' }
  const { status, body } = await corvus.call('PUT', 'observables', [
    other,
    same,
    { ...same, value: 'REPEATED.example' },
  ])
  assert.deepEqual([status, body[0].detail], [400, '[1] and [2] have the same type and value.'])
})

test('fifty PUTs of the same new observable at once give one row and no error', async () => {
  const put = (i: number) =>
    corvus.call('PUT', 'observables', [{ type: 'domain', value: i % 2 ? 'RACE.example' : 'race[.]example' }])
  const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => put(i)))
  assert.deepEqual(
    answers.filter(({ status }) => status > 201),
    [],
  )
  assert.equal(new Set(answers.map(({ body }) => body.data[0].id)).size, 1)
})

test('a value can be as long as a rule and is still unique', async () => {
  const value = `https://example.com/${'a'.repeat(1900)}`
  const first = await corvus.call('POST', 'observables', { type: 'uri', value })
  assert.equal(first.status, 201, JSON.stringify(first.body))
  assert.equal((await corvus.call('POST', 'observables', { type: 'uri', value })).status, 409)
  assert.equal((await corvus.call('POST', 'observables', { type: 'uri', value: `${value}b` })).status, 201)
})

test('an observable of another group is new to callers who cannot see it, and both keep it', async () => {
  const group = await corvus.blindGroup('Second team')
  const item = { type: 'domain', value: 'shared.example' }
  const theirs = await corvus.call('POST', 'observables', { ...item, sources: [group.source] })
  assert.equal(theirs.status, 201)
  const path = `observables/${theirs.body.data?.id ?? 0}`
  const ours = await corvus.call('POST', 'observables', item)
  assert.equal(ours.status, 201, 'it does not tell that others know it')
  assert.equal(ours.body.data.sources.length, 1)
  assert.equal((await corvus.call('POST', 'observables', item)).status, 409)
  assert.equal((await corvus.call('DELETE', `observables/${ours.body.data.id}`)).status, 204)
  assert.equal((await corvus.call('GET', `observables/${ours.body.data.id}`)).status, 404)
  const left = await corvus.pool.query('select from observables where value = $1', [item.value])
  assert.equal(left.rowCount, 1, path)
})

test('observables have entities and sources, and are removed from their entities when they are deleted', async () => {
  const entity = (
    await corvus.call('POST', 'entities', {
      data: { type: 'indicator', title: 'With an address' },
      observables: [{ type: 'ipv4', value: '198.51.100.7' }],
    })
  ).body.data
  const id = entity.observables[0].split('/').at(-1)
  const observable = (await corvus.call('GET', `observables/${id}`)).body.data
  assert.equal(observable.entities.length, 1)
  assert.deepEqual(observable.sources, entity.sources)
  const found = await corvus.call('GET', `entities?filter[observables]=${id}&filter[observables]=999`)
  assert.equal(found.body.total_count, 1)
  assert.equal((await corvus.call('DELETE', 'observables', [Number(id)])).status, 204)
  assert.deepEqual((await corvus.call('GET', `entities/${entity.id}`)).body.data.observables, [])
})

test('relation paths lead from observables to entities and back', async () => {
  const entity = (await corvus.call('POST', 'entities', { data: { type: 'malware', title: 'Linked' } })).body.data
  const { id } = (await corvus.call('POST', 'observables', { type: 'hash-md5', value: 'a'.repeat(32) })).body.data
  assert.equal((await corvus.call('PUT', `observables/${id}/entities/${entity.id}`)).status, 200)
  assert.equal((await corvus.call('GET', `entities/${entity.id}/observables`)).body.data.length, 1)
  const more = { data: [{ type: 'domain', value: 'path.example' }, id] }
  assert.equal((await corvus.call('POST', `entities/${entity.id}/observables`, more)).body.data.length, 2)
  assert.equal((await corvus.call('DELETE', `entities/${entity.id}/observables/${id}`)).status, 204)
  assert.equal((await corvus.call('GET', `observables/${id}/entities/${entity.id}`)).status, 404)
})

test('null in a PATCH removes entities and the verdict, and sources cannot be removed', async () => {
  const entity = (await corvus.call('POST', 'entities', { data: { type: 'malware', title: 'Nulls' } })).body.data.id
  const item = { type: 'domain', value: 'nulls.example', meta: { maliciousness: 'high' }, entities: [entity] }
  const { id } = (await corvus.call('POST', 'observables', { data: item })).body.data
  const patch = (data: object) => corvus.call('PATCH', `observables/${id}`, { data })
  assert.deepEqual((await patch({ entities: null })).body.data.entities, [])
  assert.equal((await patch({ meta: null })).body.data.meta.maliciousness, 'unknown')
  const refused = await patch({ sources: null })
  assert.deepEqual([refused.status, refused.body[0].detail], [400, 'sources: must have at least 1 item'])
})

test('observables are sorted by maliciousness', async () => {
  const levels = ['medium', 'unknown', 'high', 'safe', 'low']
  const items = levels.map((maliciousness) => ({
    type: 'domain',
    value: `${maliciousness}.order.example`,
    meta: { maliciousness },
  }))
  await corvus.call('PUT', 'observables', { data: items })
  const values = items.map(({ value }) => `filter[value]=${value}`).join('&')
  const { body } = await corvus.call('GET', `observables?${values}&sort=-meta.maliciousness`)
  assert.deepEqual(
    body.data.map(({ meta }: { meta: { maliciousness: string } }) => meta.maliciousness),
    ['high', 'medium', 'low', 'safe', 'unknown'],
  )
})

test('other properties of meta are kept, and null removes them', async () => {
  const item = { type: 'domain', value: 'notes.example', meta: { owner: 'team 7', rank: { of: 2 } } }
  const made = (await corvus.call('POST', 'observables', { data: item })).body.data
  assert.deepEqual(made.meta, { owner: 'team 7', rank: { of: 2 }, maliciousness: 'unknown' })
  const patch = (meta: object) => corvus.call('PATCH', `observables/${made.id}`, { data: { meta } })
  await patch({ owner: null, maliciousness: 'low' })
  const { body } = await corvus.call('GET', `observables/${made.id}`)
  assert.deepEqual(body.data.meta, { rank: { of: 2 }, maliciousness: 'low' })
  const events = await corvus.call('GET', `history-events?sort=at&filter[object]=${BASE}/api/v2/observables/${made.id}`)
  assert.deepEqual(
    events.body.data.map(({ kind, changes }: { kind: string; changes: object | null }) => [kind, changes]),
    [
      ['create', {}],
      ['update', { meta: { before: made.meta, after: body.data.meta } }],
    ],
  )
  await corvus.call('POST', 'entities', {
    data: { type: 'malware', title: 'Only here' },
    observables: [{ type: 'domain', value: 'linked.example' }],
  })
  const { id } = (await corvus.call('GET', 'observables?filter[value]=linked.example')).body.data[0]
  const linked = await corvus.call('PATCH', `observables/${id}`, { data: { meta: { owner: 'team 8' } } })
  assert.deepEqual(linked.body.data.meta, { owner: 'team 8', maliciousness: 'unknown' })
})
