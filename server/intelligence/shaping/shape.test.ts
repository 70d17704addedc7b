import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corvus, custom, define, details, make, post, statementsOf } from '../../../test/set-up/shaping.ts'

test('without definitions, a write of entities does not read them', async () => {
  const items = (amount: number, tag: string) =>
    Array.from({ length: amount }, (_, i) => ({
      data: { type: 'report', title: 'plain', id: `${tag}-${i}`, confidence: 'low' },
    }))
  await corvus.call('PUT', 'entities', items(1, 'first'))
  const few = await statementsOf(() => corvus.call('PUT', 'entities', items(10, 'few')))
  const many = await statementsOf(() => corvus.call('PUT', 'entities', items(500, 'many')))
  assert.equal(many, few)
  await define('counted', [{ name: 'counted_score', data_type: 'integer', default_value: 3 }])
  const counted = (amount: number, tag: string) =>
    items(amount, tag).map(({ data }) => ({
      data: { ...data, type: 'custom-entity', custom_entity_type: 'counted', confidence: undefined },
    }))
  await corvus.call('PUT', 'entities', counted(1, 'warm'))
  const ofFew = await statementsOf(() => corvus.call('PUT', 'entities', counted(10, 'custom few')))
  const ofMany = await statementsOf(() => corvus.call('PUT', 'entities', counted(500, 'custom many')))
  assert.equal(ofMany, ofFew)
  const known = await statementsOf(() => corvus.call('PUT', 'entities', items(10, 'still')))
  assert.equal(known, few, 'what is defined is remembered')
})

test('an undefined custom type is refused with the defined ones', async () => {
  const { status, body } = await post(custom('unknown'))
  assert.deepEqual(
    [status, details(body)],
    [400, ["data.custom_entity_type: 'unknown' is not defined; defined types: 'counted'"]],
  )
  await define('known')
  await make(custom('known'))
  assert.equal((await post(custom('indicator'))).status, 400, 'a type of the platform is no custom type')
  assert.equal((await post(custom('constructor'))).status, 400)
  const both = await corvus.call('PUT', 'entities', [custom('known'), custom('unknown')])
  assert.equal(both.status, 400)
  assert.match(both.body[0].detail, /^\[1\]\.data\.custom_entity_type: 'unknown' is not defined/)
})

test('custom attributes are validated on POST, PUT and PATCH, and every invalid one is reported with its position', async () => {
  await define('checked', [
    { name: 'amount', data_type: 'integer' },
    { name: 'grade', data_type: 'string', allowed_values: ['a', 'b'] },
    { name: 'sites', data_type: 'list' },
  ])
  const bad = { amount: 'much', grade: 'c', sites: ['x', 1] }
  const faults = [
    "data.amount: must be of type number, not 'much'",
    "data.grade: must be one of 'a', 'b', not 'c'",
    'data.sites[1]: must be of type string, not 1',
  ]
  const posted = await post(custom('checked', bad))
  assert.deepEqual([posted.status, details(posted.body)], [400, faults])
  const put = await corvus.call('PUT', 'entities', [custom('checked', { amount: 1 }), custom('checked', bad)])
  assert.deepEqual([put.status, details(put.body)], [400, faults.map((fault) => `[1].${fault}`)])
  const { id, data } = await make(custom('checked', { amount: 1, grade: 'a', sites: ['x'] }))
  const patched = await corvus.call('PATCH', `entities/${id}`, { data: { data: { amount: 1.5 } } })
  assert.deepEqual([patched.status, patched.body.length], [400, 1])
  assert.match(patched.body[0].detail, /^data\.amount: /)
  const known = await corvus.call('PUT', 'entities', [{ data: { ...data, grade: 'x' } }])
  assert.deepEqual([known.status, details(known.body)], [400, ["data.grade: must be one of 'a', 'b', not 'x'"]])
  const good = await corvus.call('PATCH', `entities/${id}`, { data: { data: { amount: 2, grade: null } } })
  assert.deepEqual([good.status, good.body.data.data.amount, 'grade' in good.body.data.data], [200, 2, false])
})

test('built-in types can have custom attributes, which other types do not validate', async () => {
  await define('indicator', [{ name: 'triage', data_type: 'boolean' }])
  assert.equal((await post({ data: { type: 'indicator', title: 'x', triage: 'yes' } })).status, 400)
  await make({ data: { type: 'indicator', title: 'x', triage: true } })
  const { data } = await make({ data: { type: 'tool', title: 'x', triage: 'yes', never_heard_of: { a: 1 } } })
  assert.deepEqual([data.triage, data.never_heard_of], ['yes', { a: 1 }], 'extra properties are kept')
})

test('default values are filled in only when an entity is created', async () => {
  await define('filled', [
    { name: 'level', data_type: 'string', allowed_values: ['low', 'high'], default_value: 'low' },
    { name: 'owners', data_type: 'list', default_value: [] },
    { name: 'remark', data_type: 'text' },
  ])
  const made = await make(custom('filled'))
  assert.deepEqual([made.data.level, made.data.owners, 'remark' in made.data], ['low', [], false])
  assert.deepEqual((await corvus.call('GET', `entities/${made.id}`)).body.data.data, made.data)
  const found = await corvus.call('GET', 'entities?query=data.level:low&data=false')
  assert.equal(found.body.total_count, 1)
  assert.equal((await make(custom('filled', { level: 'high' }))).data.level, 'high')
  assert.equal((await make(custom('filled', { level: null }))).data.level, null)
  const again = await corvus.call('PUT', 'entities', [custom('filled', { id: made.data.id })])
  assert.deepEqual([again.status, 'level' in again.body.data[0].data], [200, false])
})
