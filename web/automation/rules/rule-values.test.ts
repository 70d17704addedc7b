import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NEW_CONDITION, NEW_TREE, storedTree } from './criteria-tree.ts'
import type { EntityRule } from './entity-rule.ts'
import { lackOf, ruleBody, ruleValues } from './rule-values.ts'

const stored = {
  name: 'Amber',
  description: null,
  is_active: true,
  actions: ['add_tags', 'override_tlp', 'add_to_set'],
  entity_types: ['malware'],
  sources: [],
  tlps: ['WHITE', 'GREEN'],
  content_criteria: 'data.title:loader',
  add_tags: ['partner'],
  remove_tags: [],
  add_taxonomies: ['http://corvus.example/api/v2/taxonomies/7'],
  remove_taxonomies: [],
  datasets: ['http://corvus.example/api/v2/datasets/4'],
  override_tlp: 'AMBER',
  alias_formatting_template: null,
  title_pattern: null,
  vendorjson2_entity_type: null,
} as unknown as EntityRule

test('a stored entity rule survives a round trip through the form', () => {
  assert.deepEqual(ruleBody(ruleValues(stored)), { ...stored, datasets: [4] })
  const tree = storedTree({ ...NEW_TREE, nodes: [{ ...NEW_CONDITION, value: 'x' }] })
  assert.deepEqual(ruleBody(ruleValues({ ...stored, content_criteria: tree })).content_criteria, tree)
  assert.equal(ruleBody(ruleValues({ ...stored, content_criteria: null })).content_criteria, null)
})

test('the fields of an action are cleared with it', () => {
  const body = ruleBody({ ...ruleValues(stored), actions: ['set_alias'], alias: '{title}', titlePattern: '^(?<n>.)' })
  assert.deepEqual([body.add_tags, body.add_taxonomies, body.datasets, body.override_tlp], [[], [], [], null])
  assert.deepEqual([body.alias_formatting_template, body.title_pattern], ['{title}', '^(?<n>.)'])
})

test('a rule says what it lacks before it can be previewed', () => {
  const values = ruleValues(stored)
  assert.equal(lackOf(values), undefined)
  assert.match(lackOf({ ...values, actions: [] }) ?? '', /^Choose an action/)
  assert.equal(lackOf({ ...values, datasets: [] }), 'Choose a dataset.')
  assert.equal(lackOf({ ...values, addTags: [] }), undefined)
  assert.equal(lackOf({ ...values, addTags: [], addTaxonomies: [] }), 'Enter the tags to add.')
  assert.equal(lackOf({ ...values, content: 'tree' }), 'Complete all conditions, or remove them.')
  assert.equal(lackOf({ ...values, query: ' ' }), 'Enter the query.')
})
