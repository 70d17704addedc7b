import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import {
  corvus,
  get,
  make,
  makeRule,
  put,
  readerUpTo,
  runRule,
  withoutRules,
} from '../../../test/set-up/entity-rules.ts'

beforeEach(withoutRules)

const RULES = ['read rules', 'modify rules', 'read entities', 'modify entities', 'read intel-sets', 'read tasks']
const report = (title: string, tlp_color = 'GREEN') => ({ data: { type: 'report', title }, meta: { tlp_color } })
const problemOf = async (id: number) => (await corvus.call('GET', `entities/rules/${id}`)).body.data.problem

test('a rule acts only on what its owner sees, and stops when the owner may no longer write', async () => {
  const { token, id } = await readerUpTo('AMBER', RULES)
  const rule = await makeRule({ actions: ['add_tags'], add_tags: ['seen'], content_criteria: 'siskin' }, token)
  const made = await put([report('siskin'), report('siskin', 'RED')])
  assert.deepEqual(
    made.map(({ meta }) => meta.tags),
    [['seen'], []],
  )
  assert.equal((await corvus.call('PATCH', `users/${id}`, { data: { is_active: false } })).status, 200)
  const [later] = await put([report('siskin')])
  assert.deepEqual(later?.meta.tags, [])
  assert.match(await problemOf(rule.id), /does not exist or is inactive/)
  await corvus.call('PATCH', `entities/rules/${rule.id}`, { data: { name: 'Taken over' } })
  assert.equal(await problemOf(rule.id), null)
  assert.deepEqual((await put([report('siskin', 'RED')]))[0]?.meta.tags, ['seen'])
})

test('a write succeeds, and is answered, if a rule moves the entity out of the sight of its writer', async () => {
  const { token } = await readerUpTo('AMBER', RULES)
  await makeRule({ actions: ['override_tlp'], override_tlp: 'RED', content_criteria: 'harrier' })
  const [made] = await put([report('harrier')], token)
  assert.equal(made?.meta.tlp_color, 'RED')
  assert.equal((await corvus.call('GET', `entities/${made?.id}`, undefined, token)).status, 404)
  const [plain] = await put([report('plain')], token)
  const patched = await corvus.call('PATCH', `entities/${plain?.id}`, { data: { data: { title: 'harrier' } } }, token)
  assert.equal(patched.status, 200, JSON.stringify(patched.body))
  assert.equal((await get(String(plain?.id))).meta.tlp_color, 'RED')
})

test('the history of a rule shows nothing of entities and datasets that the reader does not see', async () => {
  const { token } = await readerUpTo('AMBER', RULES)
  const workspace = await make('workspaces', { name: 'Hidden', is_private: true })
  const dataset = await make('datasets', { name: 'Hidden', workspaces: [workspace.id] })
  const rule = await makeRule({
    actions: ['add_tags', 'add_to_set'],
    add_tags: ['told'],
    datasets: [dataset.id],
    content_criteria: 'dunlin',
  })
  const lowering = await makeRule({ actions: ['override_tlp'], override_tlp: 'GREEN', content_criteria: 'stint' })
  await put([report('dunlin'), report('dunlin', 'RED'), report('stint', 'RED')])
  const effects = (of: number, as = token) =>
    corvus.call('GET', `entity-rule-effects?filter[rule]=${of}`, undefined, as)
  assert.equal((await effects(rule.id, corvus.admin)).body.data.length, 2)
  const seen = (await effects(rule.id)).body.data
  assert.equal(seen.length, 1)
  const sees = (await corvus.call('GET', `datasets/${dataset.id}`, undefined, token)).status === 200
  const kinds = seen[0].effects.map(({ kind }: { kind: string }) => kind)
  assert.deepEqual(kinds, sees ? ['tag_added', 'dataset_added'] : ['tag_added'])
  assert.deepEqual((await effects(lowering.id)).body.data, [], 'the entity was RED before')
  const shown = (await corvus.call('GET', `entities/rules/${rule.id}`, undefined, token)).body.data
  assert.equal(shown.acted_count, 1)
  const stranger = await corvus.tokenFor(['read rules'])
  assert.deepEqual((await effects(rule.id, stranger)).body.data, [])
})

test('a rule whose criteria cannot be compared raises the colour, says so, and does not fail the write', async () => {
  const rule = await makeRule({
    actions: ['override_tlp', 'add_tags'],
    override_tlp: 'AMBER',
    add_tags: ['x'],
    content_criteria: 'tags:slow',
  })
  const sound = await makeRule({ actions: ['add_tags'], add_tags: ['sound'], content_criteria: 'data.title:tern' })
  await corvus.pool.query(
    `update entity_rules set content_criteria = '{"operator": "AND", "conditions": [
      {"path": "data.title", "operator": "matches", "expression": "(a*)*(a|b|ab)*(.{200}){60}"}]}' where id = $1`,
    [rule.id],
  )
  const [made] = await put([report('tern', 'WHITE'), report('tern', 'RED')])
  assert.deepEqual([made?.meta.tlp_color, made?.meta.tags], ['AMBER', ['sound']])
  assert.match(await problemOf(rule.id), /criteria/)
  assert.equal(await problemOf(sound.id), null)
  assert.deepEqual((await put([report('tern', 'RED')]))[0]?.meta.tlp_color, 'RED')
  await corvus.call('PATCH', `entities/rules/${rule.id}`, { data: { content_criteria: 'tags:slow' } })
  assert.equal((await put([report('tern', 'WHITE')]))[0]?.meta.tlp_color, 'WHITE')
  assert.equal(await problemOf(rule.id), null)
})

test('a rule does not act on all entities when its only source is deleted', async () => {
  const group = await make('groups', { name: 'Doomed' })
  const rule = await makeRule({ actions: ['add_tags'], add_tags: ['never'], sources: [group.source] })
  await corvus.pool.query('delete from entity_rule_sources where source = $1', [rule.id])
  assert.deepEqual((await put([report('plover')]))[0]?.meta.tags, [])
  assert.match(await problemOf(rule.id), /All sources of the rule were deleted/)
  assert.equal((await runRule(rule)).state, 'FAILURE')
})
