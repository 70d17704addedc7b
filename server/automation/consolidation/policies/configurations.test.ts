import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ask,
  configure,
  corvus,
  type Item,
  makeGroup,
  makePolicy,
  refused,
  runsOf,
} from '../../../../test/set-up/policies.ts'

const pathOf = (policy: number, id?: number) =>
  `consolidation-rules/${policy}/configurations${id === undefined ? '' : `/${id}`}`

const valid = { entity_types: ['malware'], half_life_choice: 'latest', tlp_choice: 'highest' }

test('a configuration is returned as it was sent, below its policy only', async () => {
  const [policy, other] = [await makePolicy(), await makePolicy()]
  const { source } = await makeGroup()
  const made = await configure(policy.id, {
    entity_types: ['tool', 'malware', 'tool'],
    sources: [source],
    half_life_choice: 'preferred_source',
    preferred_source: source,
    policy_id: other.id,
  })
  assert.deepEqual(made.entity_types, ['tool', 'malware'])
  assert.deepEqual([made.sources, made.preferred_source], [[source], source])
  assert.ok(made.policy_id.endsWith(`/consolidation-rules/${policy.id}`), 'the path names the policy')
  assert.deepEqual(await ask('GET', pathOf(policy.id, made.id)), made)
  assert.deepEqual(await ask('GET', pathOf(policy.id)), [made])
  assert.deepEqual(await ask('GET', pathOf(other.id)), [])
  const changed = await ask('PATCH', pathOf(policy.id, made.id), { half_life_choice: 'lowest', policy_id: other.id })
  assert.deepEqual([changed.half_life_choice, changed.policy_id], ['lowest', made.policy_id])
  await refused(404, 'GET', pathOf(other.id, made.id))
  await refused(404, 'PATCH', pathOf(other.id, made.id), { tlp_choice: 'lowest' })
  await refused(404, 'DELETE', pathOf(other.id, made.id))
  await ask('DELETE', pathOf(policy.id, made.id))
  await refused(404, 'GET', pathOf(policy.id, made.id))
  await refused(404, 'POST', pathOf(999_999), valid)
})

test('wrong input is refused with every field that is wrong', async () => {
  const { id } = await makePolicy()
  const wrong = {
    entity_types: ['malware', 'report'],
    half_life_choice: 'longest',
    tlp_choice: 'latest',
    sources: ['x'],
    preferred_source: 7,
  }
  const details = await refused(400, 'POST', pathOf(id), wrong)
  assert.deepEqual(
    details.map((detail) => detail.split(':')[0]),
    ['data.entity_types[1]', 'data.sources[0]', 'data.half_life_choice', 'data.tlp_choice', 'data.preferred_source'],
  )
  assert.match((await refused(400, 'POST', pathOf(id), {})).join(), /entity_types.*half_life_choice.*tlp_choice/)
  await refused(400, 'POST', pathOf(id), { ...valid, entity_types: [] })
  const unknown = '00000000-0000-4000-8000-000000000000'
  const missing = await refused(400, 'POST', pathOf(id), { ...valid, sources: [unknown], preferred_source: unknown })
  assert.deepEqual(
    missing.map((detail) => detail.split(':')[0]),
    ['sources', 'preferred_source'],
  )
})

test('a preferred source is required by choices of it, and must be among the sources', async () => {
  const { id } = await makePolicy()
  const [one, two] = [(await makeGroup()).source, (await makeGroup()).source]
  const both = { ...valid, half_life_choice: 'preferred_source', tlp_choice: 'preferred_source' }
  assert.match(
    (await refused(400, 'POST', pathOf(id), both)).join(),
    /preferred_source: is required, because half_life_choice and tlp_choice are preferred_source/,
  )
  assert.match(
    (await refused(400, 'POST', pathOf(id), { ...valid, sources: [one], preferred_source: two })).join(),
    /preferred_source: must be one of the sources/,
  )
  const made = await configure(id, { ...both, sources: [one, two], preferred_source: two })
  await refused(400, 'PATCH', pathOf(id, made.id), { preferred_source: null })
  await refused(400, 'PATCH', pathOf(id, made.id), { sources: [one] })
  assert.equal((await ask('GET', pathOf(id, made.id))).preferred_source, two)
})

test('two configurations of one policy cannot cover the same type of the same source', async () => {
  const [policy, other] = [await makePolicy(), await makePolicy()]
  const [one, two] = [(await makeGroup()).source, (await makeGroup()).source]
  const first = await configure(policy.id, { entity_types: ['malware', 'tool'], sources: [one] })
  const [clash] = await refused(409, 'POST', pathOf(policy.id), valid)
  assert.match(clash ?? '', new RegExp(`configuration ${first.id} already covers malware of the same sources`))
  await configure(policy.id, { sources: [two] })
  const third = await configure(policy.id, { entity_types: ['location'] })
  await refused(409, 'PATCH', pathOf(policy.id, third.id), { entity_types: ['location', 'tool'] })
  await configure(other.id, { entity_types: ['malware', 'tool'] })
})

test('a run of an active policy starts when a configuration is created, changed or deleted', async () => {
  const [active, inactive] = [await makePolicy(), await makePolicy({ is_active: false })]
  assert.deepEqual(await runsOf(active.task), [])
  const made = await configure(active.id)
  await configure(active.id, { entity_types: ['tool'] })
  await configure(inactive.id)
  assert.deepEqual(await runsOf(active.task), ['REVOKED', 'SENT'], 'the newest run has the newest configuration')
  await ask('PATCH', pathOf(active.id, made.id), { tlp_choice: 'lowest' })
  await ask('DELETE', pathOf(active.id, made.id))
  assert.deepEqual(await runsOf(active.task), ['REVOKED', 'REVOKED', 'REVOKED', 'SENT'])
  assert.deepEqual(await runsOf(inactive.task), [])
})

test('a source that a configuration names cannot be deleted', async () => {
  const { id } = await makePolicy()
  const [among, preferred] = [await makeGroup(), await makeGroup()]
  const first = await configure(id, { sources: [among.source] })
  const second = await configure(id, { entity_types: ['tool'], preferred_source: preferred.source })
  await refused(409, 'DELETE', `groups/${among.id}`)
  await refused(409, 'DELETE', `groups/${preferred.id}`)
  assert.deepEqual((await ask('GET', pathOf(id, first.id))).sources, [among.source])
  await ask('DELETE', pathOf(id, first.id))
  await ask('PATCH', pathOf(id, second.id), { preferred_source: null })
  await ask('DELETE', `groups/${among.id}`)
  await ask('DELETE', `groups/${preferred.id}`)
})

test('configurations go with their policy', async () => {
  const { id, task } = await makePolicy()
  await configure(id)
  await ask('DELETE', `consolidation-rules/${id}`)
  const { rows } = await corvus.pool.query('select from consolidation_configurations where policy_id = $1', [id])
  assert.equal(rows.length, 0)
  await refused(404, 'GET', `tasks/${task.split('/').at(-1)}`)
  const { body } = await corvus.call('GET', 'tasks?filter[type]=dissolve-unified-entities')
  const [dissolution] = body.data
  const runs = await corvus.call('GET', `tasks/runs?filter[task]=${dissolution.id}`)
  assert.deepEqual(runs.body.data[0].parameters, { policies: [id] })
})

test('the history of a policy shows that its configurations were changed, and by whom', async () => {
  const token = await corvus.tokenFor(['read rules', 'modify rules'])
  const { id: user } = await ask('GET', 'users/self', undefined, token)
  const policy = await makePolicy()
  const made = await ask('POST', pathOf(policy.id), valid, token)
  await ask('PATCH', pathOf(policy.id, made.id), { tlp_choice: 'lowest' }, token)
  await ask('DELETE', pathOf(policy.id, made.id), undefined, token)
  const path = `history-events?filter[object]=/api/v2/consolidation-rules/${policy.id}&filter[kind]=update`
  const events = (await ask('GET', path)) as unknown as Item[]
  const url = `http://corvus.test/api/v2/users/${user}`
  assert.deepEqual(
    events.map((event) => event.user),
    [url, url, url],
  )
  assert.equal((await ask('GET', `consolidation-rules/${policy.id}`)).last_updated_by, url)
})
