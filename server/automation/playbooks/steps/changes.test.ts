import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  act,
  ask,
  corvus,
  entity,
  hiddenEntity,
  idsIn,
  makeEntity,
  observable,
  ownerWith,
} from '../../../../test/set-up/steps.ts'
import { classify } from './classify.ts'
import { rate } from './rate.ts'
import { set } from './set.ts'
import { tag } from './tag.ts'

const metaOf = async (id: string) => (await ask('GET', `entities/${id}`)).meta

test('an entity is classified with taxonomies and attack nodes, once', async () => {
  const [node] = await ask('PUT', 'taxonomies', [{ name: 'Heron watch' }])
  const { id } = await makeEntity()
  const wanted = { added_taxonomies: [node.id], added_attacks: ['TA0001:T1566'] }
  assert.deepEqual(await act(classify, wanted, entity(id)), { outcome: 'changed', output: { entities: 1 } })
  assert.deepEqual(await act(classify, wanted, entity(id)), { outcome: 'unchanged', output: { entities: 0 } })
  const meta = await metaOf(id)
  assert.deepEqual([idsIn(meta.taxonomies), idsIn(meta.attacks)], [[String(node.id)], ['TA0001:T1566']])
  const back = { removed_taxonomies: [node.id], removed_attacks: ['TA0001:T1566'] }
  assert.equal((await act(classify, back, entity(id))).outcome, 'changed')
  assert.deepEqual((await metaOf(id)).taxonomies, [])
})

test('a taxonomy that was deleted since is the reason of the failure', async () => {
  const { id } = await makeEntity()
  await assert.rejects(act(classify, { added_taxonomies: [999_999] }, entity(id)), /there is no '999999'/)
})

test('the change of a playbook names its cause', async () => {
  const { id } = await makeEntity()
  await act(set, { tlp_color: 'AMBER' }, entity(id), { playbook: 7 })
  const { rows } = await corvus.pool.query(
    `select cause_kind, cause_id, cause_depth from changes where resource = 'entities' and $1 = any(ids) and kind = 'update'`,
    [id],
  )
  assert.deepEqual(rows, [{ cause_kind: 'playbook', cause_id: '7', cause_depth: 1 }])
})

test('colour and confidence are set, and null removes the colour', async () => {
  const { id } = await makeEntity({ confidence: 'low' })
  assert.equal((await act(set, { tlp_color: 'RED', confidence: 'High' }, entity(id))).outcome, 'changed')
  const { data, meta } = await ask('GET', `entities/${id}`)
  assert.deepEqual([data.confidence, meta.tlp_color], ['high', 'RED'])
  assert.equal((await act(set, { tlp_color: null }, entity(id))).outcome, 'changed')
  assert.equal((await metaOf(id)).tlp_color, null)
  assert.throws(() => set.parameters.parse({}))
})

test('a dry run says that it would change the entity, and leaves it', async () => {
  const { id } = await makeEntity()
  assert.equal((await act(set, { tlp_color: 'RED' }, entity(id), { isDryRun: true })).outcome, 'changed')
  assert.notEqual((await metaOf(id)).tlp_color, 'RED')
})

test('unified entities, which no user can change, are out of scope', async () => {
  const { id } = await makeEntity()
  await corvus.pool.query('update entities set is_unified = true where id = $1', [id])
  for (const [step, wanted] of [
    [tag, { added: ['heron'] }],
    [set, { tlp_color: 'RED' }],
    [classify, { added_attacks: ['TA0001'] }],
  ] as const) {
    const { outcome, output } = await act(step, wanted, entity(id))
    assert.equal(outcome, 'out_of_scope')
    assert.match(String(output?.reason), /The entity cannot be changed/)
  }
})

test('entities that the owner does not see are out of scope, and permissions are asked for', async () => {
  const id = await hiddenEntity()
  assert.equal((await act(set, { tlp_color: 'RED' }, entity(id))).outcome, 'out_of_scope')
  assert.equal((await act(classify, { added_attacks: ['TA0001'] }, entity(id))).outcome, 'out_of_scope')
  assert.equal((await act(tag, { added: ['heron'] }, entity(id))).outcome, 'out_of_scope')
  const owner = await ownerWith(['read entities'])
  const { id: seen } = await makeEntity()
  await assert.rejects(
    act(set, { tlp_color: 'RED' }, entity(seen), { owner }),
    /Missing permissions: \[modify entities\]/,
  )
})

test('the observables of an entity are rated in the source of the owner', async () => {
  const { id } = await makeEntity(
    {},
    {
      observables: [
        { type: 'domain', value: 'bad.heron.example', maliciousness: 'medium' },
        { type: 'domain', value: 'plain.heron.example' },
        { type: 'ipv4', value: '192.0.2.77', maliciousness: 'medium' },
      ],
    },
  )
  const wanted = { maliciousness: 'high', with_verdict: ['medium'], types: ['domain'] }
  assert.deepEqual(await act(rate, wanted, entity(id)), { outcome: 'rated', output: { observables: 1, rated: 1 } })
  const { outcome } = await act(rate, wanted, entity(id))
  assert.equal(outcome, 'unchanged')
  const levels = async () => {
    const { body } = await corvus.call('GET', `observables?filter[entities]=${id}&sort=value`)
    return body.data.map(({ meta }: { meta: { maliciousness: string } }) => meta.maliciousness)
  }
  assert.deepEqual(await levels(), ['medium', 'high', 'unknown'])
})

test('an observable is rated alone, and not at all if the owner does not see it or is in no group', async () => {
  const made = await ask('POST', 'observables', { type: 'domain', value: 'alone.heron.example' })
  assert.equal((await act(rate, { maliciousness: 'safe' }, observable(made.id), { isDryRun: true })).outcome, 'rated')
  assert.equal((await ask('GET', `observables/${made.id}`)).meta.maliciousness, 'unknown')
  const owner = await ownerWith(['read extracts', 'modify extracts'])
  await corvus.pool.query('delete from group_users where target = $1', [owner])
  assert.equal((await act(rate, { maliciousness: 'safe' }, observable(made.id), { owner })).outcome, 'out_of_scope')
  assert.equal((await act(rate, { maliciousness: 'safe' }, observable(made.id))).outcome, 'rated')
})
