import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addSuggestion,
  ask,
  corvus,
  makeEntity,
  makeGroup,
  readerOf,
  refused,
} from '../../../../test/set-up/policies.ts'

const PATH = 'consolidation-suggestions'

const idsOf = async (query: string, token?: string): Promise<number[]> => {
  const { status, body } = await corvus.call('GET', `${PATH}?${query}`, undefined, token)
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.total_count, body.data.length)
  return body.data.map(({ id }: { id: number }) => id)
}

test('a suggestion names the two entities and what they have in common', async () => {
  const [group, other] = [await makeGroup(), await makeGroup()]
  const one = await makeEntity(group.source, 'APT 1')
  const two = await makeEntity(other.source, 'Comment Crew')
  const id = await addSuggestion(one.id, two.id)
  const { created_at, ...rest } = await ask('GET', `${PATH}/${id}`)
  assert.ok(Date.parse(created_at) > 0)
  assert.deepEqual(
    [rest.first, rest.second].sort(),
    [one.id, two.id].map((each) => `http://corvus.test/api/v2/entities/${each}`).sort(),
  )
  assert.partialDeepStrictEqual(rest, {
    id,
    type: 'malware',
    reasons: [{ kind: 'name', value: 'emotet' }],
    state: 'open',
    decided_at: null,
    decided_by: null,
  })
})

test('suggestions can be filtered by entity, state, type, reason and time, and sorted', async () => {
  const group = await makeGroup()
  const [one, two, three] = [
    await makeEntity(group.source, 'one'),
    await makeEntity(group.source, 'two'),
    await makeEntity(group.source, 'three'),
  ]
  const named = await addSuggestion(one.id, two.id)
  const titled = await addSuggestion(two.id, three.id, { kind: 'title', state: 'refused', type: 'tool' })
  const token = await readerOf([group.source])
  assert.deepEqual(await idsOf('sort=created_at', token), [named, titled])
  assert.deepEqual(await idsOf('sort=-created_at', token), [titled, named])
  assert.deepEqual(await idsOf(`filter[entity]=${one.id}`, token), [named])
  assert.deepEqual(await idsOf(`filter[entity]=/api/v2/entities/${two.id}&sort=id`, token), [named, titled])
  assert.deepEqual(await idsOf('filter[state]=open', token), [named])
  assert.deepEqual(await idsOf('filter[type]=tool', token), [titled])
  assert.deepEqual(await idsOf('filter[reasons.kind]=name', token), [named])
  assert.deepEqual(await idsOf('filter[<created_at]=2020-01-01', token), [])
  await refused(400, 'GET', `${PATH}?filter[entity]=nothing`)
})

test('who sees only one of two entities sees no suggestion, nor counts it', async () => {
  const [group, other] = [await makeGroup(), await makeGroup()]
  const [one, two] = [await makeEntity(group.source, 'seen'), await makeEntity(other.source, 'hidden')]
  const id = await addSuggestion(one.id, two.id)
  for (const { source } of [group, other]) {
    const token = await readerOf([source], ['read entities', 'modify entities'])
    assert.deepEqual(await idsOf('', token), [])
    assert.equal((await corvus.call('GET', `${PATH}?data=false`, undefined, token)).body.total_count, 0)
    await refused(404, 'GET', `${PATH}/${id}`, undefined, token)
  }
  assert.deepEqual(await idsOf('', await readerOf([group.source, other.source])), [id])
  await refused(403, 'GET', PATH, undefined, await readerOf([group.source, other.source], ['read rules']))
})
