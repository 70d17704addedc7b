import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { withoutWorker } from '../../../test/set-up/by-query.ts'
import { corvus, get, make, makeRule, put, runRule, withoutRules } from '../../../test/set-up/entity-rules.ts'

beforeEach(withoutRules)

const report = (title: string, meta = {}, more = {}) => ({ data: { type: 'report', title, ...more }, meta })

test('a rule adds and removes tags before an entity is stored', async () => {
  await makeRule({
    actions: ['add_tags', 'remove_tags'],
    add_tags: ['partner'],
    remove_tags: ['raw'],
    entity_types: ['report'],
  })
  const [made] = await put([report('Wren', { tags: ['raw', 'kept'] })])
  assert.deepEqual(made?.meta.tags, ['kept', 'partner'])
  const stored = await get(String(made?.id))
  assert.deepEqual(stored.meta.tags, ['kept', 'partner'])
  const versions = await corvus.call('GET', `entities/${made?.id}/versions`)
  assert.equal(versions.body.total_count, 0)
  const [other] = await put([{ data: { type: 'tool', title: 'Wren' }, meta: { tags: ['raw'] } }])
  assert.deepEqual(other?.meta.tags, ['raw'])
  const { body } = await corvus.call('GET', 'entities?query=tags:partner&data=false')
  assert.equal(body.total_count, 1)
})

test('a rule overrides the colour, and the most restrictive of several wins', async () => {
  await makeRule({ actions: ['override_tlp'], override_tlp: 'AMBER', content_criteria: 'data.title:heron' })
  await makeRule({ actions: ['override_tlp'], override_tlp: 'GREEN', tlps: ['RED'] })
  const made = await put([
    report('a heron', { tlp_color: 'GREEN' }),
    report('a heron', { tlp_color: 'RED' }),
    report('a crane', { tlp_color: 'RED' }),
    report('a crane', { tlp_color: 'WHITE' }),
  ])
  assert.deepEqual(
    made.map(({ meta }) => meta.tlp_color),
    ['AMBER', 'AMBER', 'GREEN', 'WHITE'],
  )
})

test('a rule classifies, adds to datasets, and the API shows both paths of the resource', async () => {
  await make('taxonomies', { path: 'rules/birds' })
  const workspace = await make('workspaces', { name: 'Birds' })
  const dataset = await make('datasets', { name: 'All birds', workspaces: [workspace.id] })
  const rule = await makeRule({
    actions: ['add_tags', 'add_to_set'],
    add_taxonomies: ['rules/birds'],
    datasets: [dataset.id],
    content_criteria: { operator: 'AND', conditions: [{ path: '$.data.title', operator: 'matches', value: 'Kite' }] },
  })
  const [made] = await put([report('kite')])
  assert.equal(made?.meta.taxonomies.length, 1)
  assert.deepEqual(made?.datasets.length, 1)
  const { body } = await corvus.call('GET', `entities?query=meta.taxonomy_paths:"rules/birds"&data=false`)
  assert.equal(body.total_count, 1)
  assert.deepEqual((await corvus.call('GET', `rules/entities/${rule.id}`)).body.data.name, rule.name)
  const linked = await corvus.call('GET', `entity_rules/${rule.id}/taxonomies`)
  assert.equal(linked.body.data.length, 1)
})

test('an alias is made of the title, and a conversion keeps the id', async () => {
  await makeRule({
    actions: ['set_alias', 'convert_to_vendorjson2'],
    title_pattern: '^(?P<family>[a-z]+)[. ](?P<variant>[a-z]+)$',
    alias_formatting_template: '{family} ({variant}) of {source}, a {type}',
    vendorjson2_entity_type: 'malware-family',
    entity_types: ['ttp'],
  })
  const [made] = await put([{ data: { type: 'ttp', title: 'emotet.b' } }])
  assert.equal(made?.data.type, 'malware')
  assert.equal(made?.data.is_family, true)
  assert.match(String(made?.meta.alias), /^emotet \(b\) of .+, a ttp$/)
  assert.equal((await get(String(made?.id))).data.type, 'malware')
})

test('a person who patches a value keeps it unless what the rule reads changes; a whole write applies rules again', async () => {
  await makeRule({
    actions: ['override_tlp', 'add_tags'],
    override_tlp: 'AMBER',
    add_tags: ['stamped'],
    content_criteria: 'data.title:sparrow',
  })
  const [made] = await put([report('sparrow one')])
  const patch = (data: object) => corvus.call('PATCH', `entities/${made?.id}`, { data })
  await patch({ meta: { tlp_color: 'GREEN', tags: [] } })
  assert.deepEqual(
    [(await get(String(made?.id))).meta.tlp_color, (await get(String(made?.id))).meta.tags],
    ['GREEN', []],
  )
  await patch({ data: { title: 'sparrow two' } })
  assert.deepEqual((await get(String(made?.id))).meta.tags, ['stamped'])
  await patch({ meta: { tags: [] } })
  await put([{ data: { ...made?.data, title: 'sparrow three' } }])
  assert.deepEqual((await get(String(made?.id))).meta.tags, ['stamped'])
})

test('"Run now" applies a rule to existing entities, and only then', async () => {
  const made = await put([report('dove 1'), report('dove 2', { tags: ['x'] }), report('eagle')])
  const rule = await makeRule({ actions: ['add_tags'], add_tags: ['x'], content_criteria: 'dove' })
  assert.deepEqual((await get(String(made[0]?.id))).meta.tags, [])
  const run = await runRule(rule)
  assert.equal(run.state, 'SUCCESS', JSON.stringify(run))
  assert.deepEqual(run.result, { judged: run.result.judged, matched: 2, changed: 1 })
  assert.deepEqual((await get(String(made[0]?.id))).meta.tags, ['x'])
  assert.deepEqual((await get(String(made[2]?.id))).meta.tags, [])
  const { body } = await corvus.call('GET', `entity-rule-effects?filter[rule]=${rule.id}`)
  assert.equal(body.data.length, 1)
  assert.deepEqual(body.data[0].effects, [{ kind: 'tag_added', value: 'x' }])
  assert.equal(body.data[0].title, 'dove 1')
  const now = (await corvus.call('GET', `entities/rules/${rule.id}`)).body.data
  assert.deepEqual([now.acted_count, now.status, now.problem, now.warning], [1, 'SUCCESS', null, null])
})

test('an inactive rule cannot be run, and deactivating a rule revokes its run', async () => {
  const [made] = await put([report('stork')])
  const rule = await makeRule({ actions: ['add_tags'], add_tags: ['run'], content_criteria: 'stork', is_active: false })
  const run = () => corvus.call('POST', 'tasks/runs', { data: { task: rule.task } })
  const refused = await run()
  assert.equal(refused.status, 409)
  assert.match(refused.body[0].detail, /is not active/)
  const activate = (is_active: boolean) => corvus.call('PATCH', `entities/rules/${rule.id}`, { data: { is_active } })
  await activate(true)
  await withoutWorker(async () => {
    const { body } = await run()
    assert.equal((await activate(false)).status, 200)
    assert.equal((await corvus.call('GET', `tasks/runs/${body.data.id}`)).body.data.state, 'REVOKED')
  })
  assert.deepEqual((await get(String(made?.id))).meta.tags, [])
  await activate(true)
  assert.equal((await runRule(rule)).state, 'SUCCESS')
  assert.deepEqual((await get(String(made?.id))).meta.tags, ['run'])
})
