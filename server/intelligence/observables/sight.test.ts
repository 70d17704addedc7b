import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BASE, startApp } from '../../../test/app.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

interface Person {
  readonly token: string
  readonly id: number
  readonly source: string
  call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
  ): ReturnType<typeof corvus.call>
}

let counter = 0

/** A user in a separate group, who sees only its source and the given ones. */
async function person(...sees: string[]): Promise<Person> {
  const token = await corvus.tokenFor('all')
  const { id } = (await corvus.call('GET', 'users/self', undefined, token)).body.data
  const group = (await corvus.call('POST', 'groups', { name: `Group ${++counter}` })).body.data
  await corvus.call('PATCH', `groups/${group.id}`, { data: { sources: [`${group.source}?allowed_tlp=RED`, ...sees] } })
  await corvus.call('PATCH', `users/${id}`, { data: { groups: [group.id] } })
  return { token, id, source: group.source, call: (method, path, body) => corvus.call(method, path, body, token) }
}

const user = ({ id }: Person) => `${BASE}/api/v2/users/${id}`
const item = (value: string) => ({ type: 'domain', value })

/** The number of results of each query. */
const found = async (reader: Person, queries: readonly string[]) => {
  const counts = queries.map(async (query) => (await reader.call('GET', `observables?${query}`)).body.total_count)
  return Promise.all(counts)
}

test('an observable of others is created for callers who could not see it: 201, now, by them', async () => {
  const [first, second] = [await person(), await person()]
  const theirs = await first.call('POST', 'observables', { ...item('known.example'), meta: { maliciousness: 'high' } })
  assert.equal(theirs.status, 201, JSON.stringify(theirs.body))
  const [{ now: between }] = (await corvus.pool.query('select now()')).rows
  const ours = await second.call('POST', 'observables', item('known.example'))
  assert.equal(ours.status, 201)
  const { id, created_at, created_by, last_updated_at, last_updated_by, meta, sources } = ours.body.data
  assert.deepEqual([created_by, last_updated_by], [user(second), user(second)])
  assert.ok(new Date(created_at) > new Date(between) && created_at === last_updated_at)
  assert.deepEqual([meta, sources], [{ maliciousness: 'unknown' }, [second.source]])
  const since = `filter[value]=known.example&filter[<created_at]=${new Date(between).toISOString()}`
  assert.deepEqual(await found(second, [since, `filter[id]=${id}&filter[created_by]=${first.id}`]), [0, 0])
  assert.deepEqual(await found(first, [since, `filter[id]=${id}&filter[created_by]=${first.id}`]), [1, 1])
  const events = async (reader: Person) =>
    (await reader.call('GET', `history-events?filter[object]=${BASE}/api/v2/observables/${id}`)).body.data
  assert.deepEqual(
    (await events(second)).map((event: { kind: string; user: string }) => [event.kind, event.user]),
    [['create', user(second)]],
  )
  assert.equal((await first.call('POST', 'observables', item('known.example'))).status, 409)
  const again = (await first.call('GET', `observables/${id}`)).body.data
  assert.deepEqual(
    [again.created_at, again.last_updated_at],
    [theirs.body.data.created_at, theirs.body.data.last_updated_at],
  )
})

test('a known observable of a new entity is new to users who see only the entity', async () => {
  const [first, second] = [await person(), await person()]
  await first.call('POST', 'observables', { ...item('linked.example'), meta: { maliciousness: 'high' } })
  const made = await second.call('POST', 'entities', {
    data: { type: 'indicator', title: 'Has it' },
    observables: [item('linked.example')],
  })
  const id = made.body.data.observables[0].split('/').at(-1)
  const seen = (await second.call('GET', `observables/${id}`)).body.data
  assert.deepEqual(
    [seen.created_at, seen.created_by, seen.meta.maliciousness],
    [made.body.data.created_at, user(second), 'unknown'],
  )
  const events = await second.call('GET', `history-events?filter[object]=${BASE}/api/v2/observables/${id}`)
  assert.deepEqual(
    events.body.data.map(({ kind }: { kind: string }) => kind),
    ['create'],
  )
})

test('the shown verdict is the caller’s own or, without one, the strongest visible one', async () => {
  const [low, high] = [await person(), await person()]
  const reader = await person(`${low.source}?allowed_tlp=RED`, `${high.source}?allowed_tlp=RED`)
  const half = await person(`${low.source}?allowed_tlp=RED`)
  const value = 'rated.example'
  const shown = async (who: Person) =>
    (await who.call('GET', `observables?filter[value]=${value}`)).body.data[0]?.meta.maliciousness
  await low.call('PUT', 'observables', [{ ...item(value), meta: { maliciousness: 'low' } }])
  await high.call('PUT', 'observables', [{ ...item(value), meta: { maliciousness: 'high' } }])
  assert.deepEqual(
    [await shown(low), await shown(high), await shown(half), await shown(reader)],
    ['low', 'high', 'low', 'high'],
  )
  const { id } = (await reader.call('GET', `observables?filter[value]=${value}`)).body.data[0]
  const set = await reader.call('PATCH', `observables/${id}`, { data: { meta: { maliciousness: 'safe' } } })
  assert.deepEqual([set.status, set.body.data.meta.maliciousness], [200, 'safe'])
  assert.deepEqual([await shown(low), await shown(high), await shown(half)], ['low', 'high', 'low'])
  const verdicts = async (who: Person) =>
    (await who.call('GET', `observables/${id}/verdicts`)).body.data.map(
      ({ source, maliciousness, is_own, given_by }: Record<string, unknown>) => [
        source,
        maliciousness,
        is_own,
        given_by,
      ],
    )
  assert.deepEqual(await verdicts(reader), [
    [reader.source, 'safe', true, user(reader)],
    [high.source, 'high', false, user(high)],
    [low.source, 'low', false, user(low)],
  ])
  assert.deepEqual(await verdicts(half), [[low.source, 'low', false, user(low)]], 'invisible verdicts are left out')
  await reader.call('PATCH', `observables/${id}`, { data: { meta: { maliciousness: 'unknown' } } })
  assert.equal(await shown(reader), 'high', 'unknown takes the own verdict back')
  assert.equal((await verdicts(reader)).length, 2)
})

test('invisible verdicts cannot be found, counted, sorted by or exported', async () => {
  const [teller, listener] = [await person(), await person()]
  const values = ['a.verdict.example', 'b.verdict.example']
  const observables = values.map(item)
  const title = 'Verdicts'
  await listener.call('POST', 'entities', { data: { type: 'indicator', title }, observables })
  await teller.call('PUT', 'observables', [{ ...item(values[0] ?? ''), meta: { maliciousness: 'high' } }])
  const queries = ['filter[meta.maliciousness]=high', 'query=meta.maliciousness:high', 'query=meta.maliciousness:h*']
  assert.deepEqual(await found(listener, queries), [0, 0, 0])
  assert.deepEqual(await found(teller, queries), [1, 1, 1])
  assert.deepEqual(
    await found(listener, ['filter[meta.maliciousness]=unknown', 'filter[!meta.maliciousness]=high']),
    [2, 2],
  )
  for (const query of ['extracts.meta.maliciousness:high', 'extracts.meta.classification:bad']) {
    const { body } = await listener.call('GET', `entities?query=${query}&data=false`)
    assert.equal(body.total_count, 0, query)
  }
  const counts = await listener.call('GET', 'aggregations/observables/counts?fields=meta.maliciousness')
  assert.deepEqual(counts.body.data, [{ count: 2, field: 'meta.maliciousness', value: 'unknown' }])
  const byEntity = await listener.call('GET', 'aggregations/entities/counts?fields=extracts.meta.maliciousness')
  assert.equal(byEntity.status, 200, JSON.stringify(byEntity.body))
  assert.deepEqual(byEntity.body.data, [{ count: 1, field: 'extracts.meta.maliciousness', value: 'unknown' }])
  const sorted = await listener.call('GET', 'observables?sort=-meta.maliciousness')
  assert.deepEqual(
    sorted.body.data.map(({ meta }: { meta: { maliciousness: string } }) => meta.maliciousness),
    ['unknown', 'unknown'],
  )
  const looked = await listener.call('POST', 'observables/look-up', { data: { text: values.join('\n') } })
  assert.deepEqual(
    looked.body.data.known.map(({ maliciousness }: { maliciousness: string }) => maliciousness),
    ['unknown', 'unknown'],
  )
  for (const form of [
    'urn:eclecticiq.com:json:3.2',
    'urn:oasis:stix:json:2.1',
    'urn:eclecticiq.com:csv-extracts:1.0',
  ]) {
    const { body } = await listener.call('GET', `entities/export?content_type=${form}`)
    assert.doesNotMatch(typeof body === 'string' ? body : JSON.stringify(body), /"?(high|bad)"?[,"]/, form)
  }
})

test('the verdict on an invisible observable cannot be changed', async () => {
  const [owner, stranger] = [await person(), await person()]
  const { id } = (await owner.call('POST', 'observables', item('unseen.example'))).body.data
  const patch = { data: { meta: { maliciousness: 'safe' } } }
  assert.equal((await stranger.call('PATCH', `observables/${id}`, patch)).status, 404)
  await stranger.call('POST', 'entities', {
    data: { type: 'indicator', title: 'Guess' },
    observables: [{ ...item('unseen.example'), maliciousness: 'high' }],
  })
  assert.equal((await owner.call('GET', `observables/${id}`)).body.data.meta.maliciousness, 'unknown')
})

test('a verdict is visible at no lower colour than the object it was given on', async () => {
  const teller = await person()
  const circle = await person(`${teller.source}?allowed_tlp=RED`)
  await teller.call('POST', 'entities', {
    data: { type: 'indicator', title: 'Red' },
    meta: { tlp_color: 'RED' },
    observables: [item('red.example')],
  })
  const { id } = (await circle.call('GET', 'observables?filter[value]=red.example')).body.data[0]
  await circle.call('PATCH', `observables/${id}`, { data: { meta: { maliciousness: 'high' } } })
  const [low, red] = [
    await person(`${circle.source}?allowed_tlp=GREEN`),
    await person(`${circle.source}?allowed_tlp=RED`),
  ]
  assert.deepEqual(await found(low, ['filter[value]=red.example']), [0])
  assert.deepEqual(await found(red, ['filter[value]=red.example&filter[meta.maliciousness]=high']), [1])
})

test('notes in meta are visible only with the source that wrote them', async () => {
  const [owner, stranger] = [await person(), await person()]
  const reader = await person(`${owner.source}?allowed_tlp=RED`)
  const noted = (text: string) => ({ ...item('noted.example'), meta: { ticket: text } })
  await owner.call('POST', 'observables', noted('ours'))
  await stranger.call('POST', 'observables', noted('theirs'))
  const ticket = async (who: typeof owner) =>
    (await who.call('GET', 'observables?filter[value]=noted.example')).body.data[0].meta.ticket
  assert.deepEqual([await ticket(owner), await ticket(reader), await ticket(stranger)], ['ours', 'ours', 'theirs'])
})

test('the type and value of an observable cannot be changed', async () => {
  const owner = await person()
  const { id } = (await owner.call('POST', 'observables', item('fixed.example'))).body.data
  const same = await owner.call('PATCH', `observables/${id}`, { data: { value: 'FIXED[.]example' } })
  assert.equal(same.status, 200, JSON.stringify(same.body))
  const other = await owner.call('PATCH', `observables/${id}`, { data: { value: 'other.example', type: 'uri' } })
  assert.equal(other.status, 400)
})

test('ids do not reveal which observable was created first', async () => {
  const owner = await person()
  const values = Array.from({ length: 40 }, (_, i) => item(`${i}.order.example`))
  const ids: number[] = []
  for (const value of values) ids.push((await owner.call('POST', 'observables', value)).body.data.id)
  assert.equal(new Set(ids).size, ids.length)
  assert.ok(ids.every((id) => Number.isInteger(id) && id > 0 && id < 2 ** 31))
  const rises = ids.filter((id, i) => i > 0 && id > (ids[i - 1] ?? 0)).length
  assert.ok(rises > 5 && rises < 34, `${rises} of ${ids.length - 1} follow a lower one`)
})

test('deleting an observable leaves it with entities that the caller does not see', async () => {
  const [first, second] = [await person(), await person()]
  const observables = [item('shared.example')]
  const entity = { data: { type: 'malware', title: 'Has it' }, observables }
  const theirs = (await first.call('POST', 'entities', entity)).body.data
  const ours = (await second.call('POST', 'entities', entity)).body.data
  const id = ours.observables[0].split('/').at(-1)
  assert.equal((await second.call('DELETE', `observables/${id}`)).status, 204)
  assert.deepEqual((await second.call('GET', `entities/${ours.id}`)).body.data.observables, [])
  assert.deepEqual((await first.call('GET', `entities/${theirs.id}`)).body.data.observables, theirs.observables)
})
