import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, configure, corvus, makeGroup, makePolicy, refused, runsOf } from '../../../../test/set-up/policies.ts'

const lastPart = (url: string) => url.split('/').at(-1)

test('a policy has an owned task, and returns what was sent', async () => {
  const group = await makeGroup()
  const policy = await makePolicy({ name: 'Actors', merge_group: `/api/v2/groups/${group.id}` })
  assert.partialDeepStrictEqual(policy, { name: 'Actors', is_active: true, status: null, warning: null })
  assert.ok(policy.merge_group.endsWith(`/groups/${group.id}`))
  assert.deepEqual([policy.unified_count, policy.contributors_count], [0, 0])
  const task = await ask('GET', `tasks/${lastPart(policy.task)}`)
  assert.partialDeepStrictEqual(task, {
    type: 'consolidation',
    name: 'Consolidation: Actors',
    is_owned: true,
    is_active: true,
  })
  const [conflict] = await refused(409, 'DELETE', `tasks/${lastPart(policy.task)}`)
  assert.match(conflict ?? '', new RegExp(`belongs to .*/consolidation-rules/${policy.id}:`))
  await ask('PATCH', `consolidation-rules/${policy.id}`, { name: 'Groups', is_active: false })
  const renamed = await ask('GET', `tasks/${lastPart(policy.task)}`)
  assert.partialDeepStrictEqual(renamed, { name: 'Consolidation: Groups', is_active: false })
})

test('a policy without a name is named after its group, with a number if the name is taken', async () => {
  const group = await makeGroup({ name: 'Fusion' })
  const make = () => ask('POST', 'consolidation-rules', { is_active: false, merge_group: group.id })
  assert.equal((await make()).name, 'Consolidation into Fusion')
  assert.equal((await make()).name, 'Consolidation into Fusion (2)')
  const third = await make()
  assert.equal(third.name, 'Consolidation into Fusion (3)')
  await ask('PATCH', `consolidation-rules/${third.id}`, { name: 'Own name' })
  assert.equal((await ask('PATCH', `consolidation-rules/${third.id}`, { name: null })).name, third.name)
  const upserted = await corvus.call('PUT', 'consolidation-rules', {
    data: [{ is_active: true, merge_group: group.id }],
  })
  assert.equal(upserted.status, 200, 'a bulk write finds the policy by its default name')
  assert.equal(upserted.body.data[0].name, 'Consolidation into Fusion')
  assert.equal(upserted.body.data[0].is_active, true)
})

test('wrong input is refused with every field that is wrong', async () => {
  const details = await refused(400, 'POST', 'consolidation-rules', { name: 7, is_active: 'yes', merge_group: 'x' })
  assert.deepEqual(
    details.map((detail) => detail.split(':')[0]),
    ['data.name', 'data.is_active', 'data.merge_group'],
  )
  const missing = await refused(400, 'POST', 'consolidation-rules', {})
  assert.match(missing.join(), /is_active.*merge_group/)
  assert.match(
    (await refused(400, 'POST', 'consolidation-rules', { is_active: true, merge_group: 999_999 })).join(),
    /merge_group: there is no '999999'/,
  )
  const policy = await makePolicy()
  await refused(400, 'PATCH', `consolidation-rules/${policy.id}`, { merge_group: null })
})

test('only members of a group can have entities unified into its source', async () => {
  const group = await makeGroup()
  const stranger = await corvus.tokenFor(['read rules', 'modify rules'])
  const path = 'consolidation-rules'
  const details = await refused(403, 'POST', path, { is_active: true, merge_group: group.id }, stranger)
  assert.match(details.join(), /merge_group: you do not belong to the group/)
  const policy = await makePolicy({ merge_group: group.id })
  await ask('PATCH', `${path}/${policy.id}`, { merge_group: group.id, is_active: false }, stranger)
  const other = await makeGroup()
  await refused(403, 'PATCH', `${path}/${policy.id}`, { merge_group: other.id }, stranger)
  const list = await refused(
    403,
    'PUT',
    path,
    [
      { name: policy.name, is_active: false, merge_group: group.id },
      { name: 'Another one', is_active: true, merge_group: other.id },
    ],
    stranger,
  )
  assert.deepEqual(list, [`[1].merge_group: you do not belong to the group '${other.id}'`])
})

test('a group that a policy names cannot be deleted', async () => {
  const group = await makeGroup()
  const policy = await makePolicy({ merge_group: group.id })
  await refused(409, 'DELETE', `groups/${group.id}`)
  await ask('DELETE', `consolidation-rules/${policy.id}`)
  await ask('DELETE', `groups/${group.id}`)
})

test('permissions for rules are required', async () => {
  const reader = await corvus.tokenFor(['read rules'])
  const policy = await makePolicy()
  await ask('GET', `consolidation-rules/${policy.id}`, undefined, reader)
  await ask('GET', `consolidation-rules/${policy.id}/configurations`, undefined, reader)
  await refused(403, 'PATCH', `consolidation-rules/${policy.id}`, { is_active: false }, reader)
  await refused(403, 'POST', `consolidation-rules/${policy.id}/configurations`, {}, reader)
  await refused(403, 'GET', 'consolidation-rules', undefined, await corvus.tokenFor(['read entities']))
})

test('a run starts once for each policy that a request activates or moves to another group, and for no other', async () => {
  const [one, two, three] = [
    await makePolicy({ is_active: false }),
    await makePolicy({ is_active: false }),
    await makePolicy(),
  ]
  for (const { id } of [one, two, three]) await configure(id)
  assert.deepEqual([await runsOf(one.task), await runsOf(three.task)], [[], ['SENT']])
  const items = [one, two, three].map(({ name, merge_group }) => ({ name, merge_group, is_active: true }))
  await ask('PUT', 'consolidation-rules', items)
  assert.deepEqual(
    [await runsOf(one.task), await runsOf(two.task), await runsOf(three.task)],
    [['SENT'], ['SENT'], ['SENT']],
  )
  await ask('PATCH', `consolidation-rules/${one.id}`, { name: 'Other name' })
  assert.deepEqual(await runsOf(one.task), ['SENT'])
  await ask('PATCH', `consolidation-rules/${one.id}`, { merge_group: (await makeGroup()).id })
  assert.deepEqual(await runsOf(one.task), ['REVOKED', 'SENT'])
  await ask('PATCH', `consolidation-rules/${one.id}`, { is_active: false })
  assert.deepEqual(await runsOf(one.task), ['REVOKED', 'REVOKED'])
})

test('the history shows what was changed in a policy', async () => {
  const policy = await makePolicy()
  await ask('PATCH', `consolidation-rules/${policy.id}`, { is_active: false })
  const { body } = await corvus.call(
    'GET',
    `history-events?filter[object]=/api/v2/consolidation-rules/${policy.id}&sort=at`,
  )
  assert.deepEqual(
    body.data.map(({ kind }: { kind: string }) => kind),
    ['create', 'update'],
  )
  assert.deepEqual(body.data[1].changes.is_active, { before: true, after: false })
})

test('a policy outlives the user who created it', async () => {
  const token = await corvus.tokenFor(['read rules', 'modify rules'])
  const { id: user } = await ask('GET', 'users/self', undefined, token)
  const group = await makeGroup()
  await ask('POST', `groups/${group.id}/users`, [user])
  const policy = await makePolicy({ merge_group: group.id }, token)
  assert.equal(lastPart(policy.created_by), String(user))
  await ask('DELETE', `users/${user}`)
  assert.equal((await ask('GET', `consolidation-rules/${policy.id}`)).created_by, null)
})
