import assert from 'node:assert/strict'
import { test } from 'node:test'
import { consolidating } from '../../../../test/set-up/consolidation.ts'
import {
  ask,
  configure,
  corvus,
  type Item,
  makeEntity,
  makeGroup,
  makePolicy,
  readerOf,
  refused,
} from '../../../../test/set-up/policies.ts'

const PATH = 'consolidation-suggestions'

const { follow } = consolidating(corvus)

/** A policy for two sources, as their groups. */
async function twoSources(): Promise<readonly [Item, Item]> {
  const [one, two] = [await makeGroup(), await makeGroup()]
  const policy = await makePolicy()
  await configure(policy.id, { sources: [one.source, two.source] })
  return [one, two]
}

/** A suggestion about two entities of two sources, which have an alias in common. */
async function suggest() {
  const [one, two] = await twoSources()
  const first = await makeEntity(one.source, 'Emotet', { aliases: ['Heodo'] })
  const second = await makeEntity(two.source, 'Geodo', { aliases: ['Heodo'] })
  await follow()
  const [suggestion] = (await ask('GET', `${PATH}?filter[entity]=${first.id}`)) as unknown as Item[]
  assert.ok(suggestion, 'the two are suggested')
  return { id: suggestion.id as number, one, two, first, second }
}

/** The unified entity that an entity contributes to, if any. */
const unifiedOf = async (id: string): Promise<string | null> =>
  (await ask('GET', `entities/${id}`)).meta.is_contributor_to

test('accepting a suggestion makes both entities contributors to one unified entity', async () => {
  const { id, first, second } = await suggest()
  const accepted = await ask('POST', `${PATH}/${id}/accept`)
  const { id: user } = await ask('GET', 'users/self')
  assert.equal(accepted.state, 'accepted')
  assert.equal(accepted.decided_by, `http://corvus.test/api/v2/users/${user}`)
  assert.ok(Date.parse(accepted.decided_at) > 0)
  assert.deepEqual(await ask('GET', `${PATH}/${id}`), accepted)
  const unified = await unifiedOf(first.id)
  assert.ok(unified)
  assert.equal(await unifiedOf(second.id), unified)
  const events = (await ask('GET', `entities/consolidation-events?filter[entity_id]=${first.id}`)) as unknown as Item[]
  assert.deepEqual(
    events.map(({ method }) => method),
    ['user-assigned'],
  )
  await follow()
  assert.deepEqual([await unifiedOf(first.id), await unifiedOf(second.id)], [unified, unified])
})

test('a refused suggestion stays refused, and policies do not join the two', async () => {
  const { id, first, second } = await suggest()
  const answer = await ask('POST', `${PATH}/${id}/refuse`)
  assert.equal(answer.state, 'refused')
  await ask('PATCH', `entities/${second.id}`, { data: { title: 'Emotet' } })
  await follow()
  assert.deepEqual(
    [await unifiedOf(first.id), await unifiedOf(second.id)],
    [null, null],
    'although their titles are equal',
  )
  assert.equal((await ask('GET', `${PATH}/${id}`)).state, 'refused')
  const reopened = await ask('POST', `${PATH}/${id}/reopen`)
  assert.partialDeepStrictEqual(reopened, { state: 'open', decided_at: null, decided_by: null })
  const unified = await unifiedOf(first.id)
  assert.ok(unified, 'nothing keeps them apart any more')
  assert.equal(await unifiedOf(second.id), unified)
  await refused(404, 'GET', `${PATH}/${id}`)
})

test('refusing takes apart what was joined automatically', async () => {
  const { id, first, second } = await suggest()
  // The suggestion is older than the change that joins the two.
  await ask('PATCH', `entities/${second.id}`, { data: { title: 'Emotet' } })
  await follow()
  assert.ok(await unifiedOf(first.id))
  const [row] = (await ask('GET', `${PATH}?filter[entity]=${first.id}`)) as unknown as Item[]
  assert.equal(row, undefined, 'what is joined is not suggested')
  await corvus.pool.query(
    `insert into consolidation_suggestions (id, first, second, type, reasons)
     select $1, (array_agg(id order by stix_id))[1], (array_agg(id order by stix_id))[2], 'malware', '[]'
     from entities where id = any($2::uuid[])`,
    [id, [first.id, second.id]],
  )
  await ask('POST', `${PATH}/${id}/refuse`)
  assert.deepEqual([await unifiedOf(first.id), await unifiedOf(second.id)], [null, null])
  const events = (await ask('GET', `entities/consolidation-events?filter[entity_id]=${first.id}`)) as unknown as Item[]
  assert.match(events[0]?.undone_reason ?? '', /not the same/)
})

test('what is decided cannot be decided again, and only refused suggestions can be reopened', async () => {
  const { id } = await suggest()
  assert.match((await refused(409, 'POST', `${PATH}/${id}/reopen`)).join(), /only refused ones/)
  await ask('POST', `${PATH}/${id}/refuse`)
  assert.match((await refused(409, 'POST', `${PATH}/${id}/accept`)).join(), /already refused: reopen it first/)
  await refused(409, 'POST', `${PATH}/${id}/refuse`)
  assert.equal((await ask('POST', `${PATH}/${id}/reopen`)).state, 'open')
  await ask('POST', `${PATH}/${id}/accept`)
  for (const decision of ['accept', 'refuse', 'reopen']) await refused(409, 'POST', `${PATH}/${id}/${decision}`)
})

test('who does not see both entities, or may not change entities, cannot decide', async () => {
  const { id, one, two } = await suggest()
  const permissions = ['read entities', 'modify entities']
  for (const decision of ['accept', 'refuse', 'reopen']) {
    const path = `${PATH}/${id}/${decision}`
    await refused(404, 'POST', path, undefined, await readerOf([one.source], permissions))
    await refused(403, 'POST', path, undefined, await readerOf([one.source, two.source]))
    await refused(403, 'POST', path, undefined, await readerOf([one.source, two.source], ['modify entities']))
    await refused(404, 'POST', `${PATH}/999999/${decision}`)
  }
  assert.equal((await ask('GET', `${PATH}/${id}`)).state, 'open')
  await ask('POST', `${PATH}/${id}/refuse`, undefined, await readerOf([one.source, two.source], permissions))
})

test('two concurrent decisions end in one of them', async () => {
  const { id } = await suggest()
  const answers = await Promise.all(
    ['accept', 'refuse', 'accept'].map((name) => corvus.call('POST', `${PATH}/${id}/${name}`)),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409])
})
