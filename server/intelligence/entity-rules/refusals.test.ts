import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corvus, make } from '../../../test/set-up/entity-rules.ts'

const rule = { name: 'Refused', is_active: true, actions: ['add_tags'], add_tags: ['x'] }

async function refused(more: object): Promise<string> {
  const { status, body } = await corvus.call('POST', 'entities/rules', { data: { ...rule, ...more } })
  assert.equal(status, 400, JSON.stringify(body))
  return JSON.stringify(body)
}

test('wrong rules are refused, and the answer names the field', async () => {
  assert.match(await refused({ actions: ['explode'] }), /data\.actions\.0|actions\[0\]/)
  assert.match(await refused({ actions: [] }), /actions/)
  assert.match(await refused({ actions: ['override_tlp'] }), /override_tlp: is required/)
  assert.match(await refused({ actions: ['set_alias'] }), /alias_formatting_template: is required/)
  assert.match(await refused({ actions: ['convert_to_vendorjson2'] }), /vendorjson2_entity_type: is required/)
  assert.match(await refused({ override_tlp: 'PINK' }), /override_tlp/)
  assert.match(await refused({ entity_types: ['bird'] }), /entity_types/)
  assert.match(await refused({ add_taxonomies: ['no/such/path'] }), /add_taxonomies\[0\]: there is no taxonomy/)
  assert.match(await refused({ datasets: [987_654] }), /987654/)
  assert.match(await refused({ sources: ['00000000-0000-4000-8000-000000000000'] }), /sources/)
  assert.match(await refused({ remove_tags: ['x'] }), /remove_tags: 'x' is in add_tags as well/)
})

test('criteria that cannot be parsed, or that read more than the entity itself, are refused with their column or path', async () => {
  assert.match(await refused({ content_criteria: 'data.title:(' }), /content_criteria.*column 13/)
  assert.match(await refused({ content_criteria: 'wren AND created_at:[now-1d TO now]' }), /created_at.*column 10/)
  assert.match(await refused({ content_criteria: 'extracts.meta.maliciousness:high' }), /maliciousness.*column 1\)/)
  assert.match(await refused({ content_criteria: 'sources.name:CERT' }), /sources\.name/)
  assert.match(await refused({ content_criteria: 'meta.is_outdated_version:true' }), /is_outdated_version/)
  assert.match(await refused({ content_criteria: 'data.title:/a{1000}/' }), /regular expression/)
  const tree = (...conditions: unknown[]) => ({ content_criteria: { operator: 'AND', conditions } })
  const one = { path: '$.data.title', operator: 'matches', value: 'x' }
  assert.match(await refused(tree(one, { ...one, path: 'relevancy' })), /conditions\.1\.path|conditions\[1\]\.path/)
  assert.match(await refused(tree({ ...one, operator: 'like' })), /operator/)
  assert.match(await refused(tree({ ...one, value: undefined, expression: '(' })), /expression/)
  assert.match(await refused(tree({ ...one, expression: 'x' })), /either a value or an expression/)
  assert.match(await refused(tree()), /conditions/)
  assert.match(await refused({ content_criteria: 7 }), /content_criteria/)
  let deep: unknown = one
  for (let i = 0; i < 20; i++) deep = { operator: 'OR', conditions: [deep] }
  assert.match(await refused({ content_criteria: deep }), /nested at most 10 levels/)
})

test('a bad expression on titles and an unknown name in a template are refused', async () => {
  const alias = { actions: ['set_alias'], alias_formatting_template: '{title}' }
  assert.match(await refused({ ...alias, title_pattern: '(' }), /title_pattern: the regular expression is invalid/)
  assert.match(await refused({ ...alias, title_pattern: '((a{99}){99}){99}' }), /title_pattern/)
  assert.match(await refused({ ...alias, title_pattern: '(?P<x>a)\\\\1(?=b)' }), /title_pattern/)
  assert.match(await refused({ ...alias, alias_formatting_template: '{nothing}' }), /there is no '\{nothing\}'/)
})

test('dynamic datasets are refused, also through the relation path', async () => {
  const workspace = await make('workspaces', { name: 'Refusals' })
  const dynamic = await make('datasets', { name: 'Dynamic', search_query: 'x', workspaces: [workspace.id] })
  assert.match(await refused({ actions: ['add_to_set'], datasets: [dynamic.id] }), /is dynamic/)
  const { id } = await make('entities/rules', rule)
  const { status } = await corvus.call('POST', `entity_rules/${id}/datasets`, { data: [dynamic.id] })
  assert.equal(status, 400)
  assert.deepEqual((await corvus.call('GET', `entity_rules/${id}/datasets`)).body.data, [])
})

test('criteria are returned as they were sent', async () => {
  const criteria = {
    operator: 'OR',
    conditions: [
      { path: '$.data.kill_chain_phases[*].name', operator: 'does_not_match', expression: 'x.*' },
      { operator: 'AND', conditions: [{ path: 'meta.half_life', operator: 'matches', value: 30 }] },
    ],
  }
  const { id } = await make('entities/rules', { ...rule, name: 'Returned', content_criteria: criteria })
  assert.deepEqual((await corvus.call('GET', `entities/rules/${id}`)).body.data.content_criteria, criteria)
  await corvus.call('PATCH', `entities/rules/${id}`, { data: { content_criteria: ' tags:x ' } })
  assert.deepEqual((await corvus.call('GET', `entities/rules/${id}`)).body.data.content_criteria, ' tags:x ')
})
