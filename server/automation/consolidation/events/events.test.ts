import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import {
  addEvent,
  ask,
  corvus,
  makeEntity,
  makeGroup,
  makePolicy,
  readerOf,
  refused,
  restrict,
  unify,
} from '../../../../test/set-up/policies.ts'

const PATH = 'entities/consolidation-events'

let group: Awaited<ReturnType<typeof makeGroup>>
let other: Awaited<ReturnType<typeof makeGroup>>
let merge: Awaited<ReturnType<typeof makeGroup>>
before(async () => {
  ;[group, other, merge] = [await makeGroup(), await makeGroup(), await makeGroup()]
})

/** A unified entity of one entity of each group, with their events. */
async function makeUnified(policy: number | null = null) {
  const first = await makeEntity(group.source, 'Emotet')
  const second = await makeEntity(other.source, 'Emotet')
  const unified = await makeEntity(merge.source, 'Emotet')
  await unify(unified.id, [first.id, second.id], policy)
  const events = [
    await addEvent(first.id, unified.id, { policy }),
    await addEvent(second.id, unified.id, { method: 'user-assigned', kind: 'assigned' }),
  ]
  return { first, second, unified, events }
}

const idsOf = async (query: string, token?: string): Promise<number[]> => {
  const { status, body } = await corvus.call('GET', `${PATH}?${query}`, undefined, token)
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.total_count, body.data.length)
  return body.data.map(({ id }: { id: number }) => id)
}

test('an event names the contributor, the unified entity, the method and the reason', async () => {
  const policy = await makePolicy()
  const { first, unified, events } = await makeUnified(policy.id)
  const event = await ask('GET', `${PATH}/${events[0]}`)
  const { created_at, ...rest } = event
  assert.ok(Date.parse(created_at) > 0)
  assert.deepEqual(rest, {
    id: events[0],
    entity_id: `http://corvus.test/api/v2/entities/${first.id}`,
    unified_entity_id: `http://corvus.test/api/v2/entities/${unified.id}`,
    method: 'rule-based',
    reason: { kind: 'title', value: 'emotet' },
    policy: `http://corvus.test/api/v2/consolidation-rules/${policy.id}`,
    created_by: null,
    undone_at: null,
    undone_by: null,
    undone_reason: null,
  })
  await refused(403, 'GET', PATH, undefined, await corvus.tokenFor(['read rules']))
  await corvus.pool.query('delete from consolidation_rules where id = $1', [policy.id])
  assert.equal((await ask('GET', `${PATH}/${events[0]}`)).policy, null, 'the policy is gone, the event stays')
})

test('events can be filtered by entity, unified entity, method, reason and policy, and sorted by time', async () => {
  const policy = await makePolicy()
  const { first, second, unified, events } = await makeUnified(policy.id)
  const [one = 0, two = 0] = events
  assert.deepEqual(await idsOf(`filter[unified_entity_id]=${unified.id}&sort=created_at`), [one, two])
  assert.deepEqual(await idsOf(`filter[unified_entity_id]=${unified.id}&sort=-created_at`), [two, one])
  assert.deepEqual(await idsOf(`filter[entity_id]=/api/v2/entities/${first.id}`), [one])
  assert.deepEqual(await idsOf(`filter[unified_entity_id]=${unified.id}&filter[method]=user-assigned`), [two])
  assert.deepEqual(await idsOf(`filter[unified_entity_id]=${unified.id}&filter[reason.kind]=title`), [one])
  assert.deepEqual(await idsOf(`filter[policy]=${policy.id}`), [one])
  assert.deepEqual(await idsOf(`filter[entity_id]=${second.id}&filter[undone_at]=null`), [two])
  await refused(400, 'GET', `${PATH}?filter[entity_id]=nothing`)
})

test('who sees only one of the contributors sees no event of the unified entity, nor counts it', async () => {
  const { unified, events } = await makeUnified()
  const query = `filter[unified_entity_id]=${unified.id}`
  for (const sources of [[group.source, merge.source], [group.source, other.source], [merge.source]]) {
    const token = await readerOf(sources)
    assert.deepEqual(await idsOf(query, token), [])
    for (const id of events) await refused(404, 'GET', `${PATH}/${id}`, undefined, token)
  }
  const token = await readerOf([group.source, other.source, merge.source])
  assert.deepEqual(await idsOf(`${query}&sort=id`, token), events)
})

test('a contributor that becomes more restricted, or a further one that is, hides the earlier events', async () => {
  const { second, unified, events } = await makeUnified()
  const token = await readerOf([group.source, other.source, merge.source])
  const query = `filter[unified_entity_id]=${unified.id}&sort=id`
  assert.deepEqual(await idsOf(query, token), events)
  const secret = await makeGroup()
  const third = await makeEntity(secret.source, 'Emotet')
  await unify(unified.id, [third.id])
  assert.deepEqual(await idsOf(query, token), [], 'another contributor is not seen')
  await corvus.pool.query('delete from contributors where entity = $1', [third.id])
  await restrict(unified.id)
  assert.deepEqual(await idsOf(query, token), events)
  await ask('PATCH', `entities/${second.id}`, { sources: [secret.source] })
  assert.deepEqual(await idsOf(query, token), [], 'a contributor moved to a source that is not seen')
})

test('events stay when the unified entity and the contributor are deleted', async () => {
  const { first, second, unified, events } = await makeUnified()
  const token = await readerOf([group.source, other.source, merge.source])
  await corvus.pool.query('delete from entities where id = $1', [unified.id])
  await ask('DELETE', `entities/${first.id}`)
  assert.deepEqual(await idsOf(`filter[unified_entity_id]=${unified.id}&sort=id`, token), events)
  assert.deepEqual(await idsOf(`filter[unified_entity_id]=${unified.id}`, await readerOf([group.source])), [])
  await ask('PATCH', `entities/${second.id}`, { sources: [(await makeGroup()).source] })
  assert.deepEqual(await idsOf(`filter[unified_entity_id]=${unified.id}`, token), [events[0]])
})
