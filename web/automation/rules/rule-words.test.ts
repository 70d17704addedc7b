import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EntityRule } from './entity-rule.ts'
import { actionsInWords, criteriaInWords } from './rule-words.ts'

const names = {
  sources: new Map([['8b4f', 'Open feed']]),
  datasets: new Map([['4', 'Watched']]),
  taxonomies: new Map([['7', 'Sector / Bank']]),
}
const rule = {
  actions: ['override_tlp', 'add_tags', 'add_to_set', 'set_alias', 'convert_to_vendorjson2', 'remove_tags'],
  add_tags: ['partner', 'bank'],
  add_taxonomies: ['/api/v2/taxonomies/7'],
  remove_tags: ['old'],
  remove_taxonomies: [],
  datasets: ['/api/v2/datasets/4'],
  override_tlp: 'AMBER_STRICT',
  alias_formatting_template: '{title} ({source})',
  vendorjson2_entity_type: 'intrusion-set',
  entity_types: [],
  sources: [],
  tlps: [],
  content_criteria: null,
} as unknown as EntityRule

test('the actions of a rule are described in their order', () => {
  assert.deepEqual(actionsInWords(rule, names), [
    'Set TLP:AMBER+STRICT',
    'Add tags partner, bank and taxonomy Sector / Bank',
    'Add to “Watched”',
    'Set alias to “{title} ({source})”',
    'Convert to Intrusion set',
    'Remove tag old',
  ])
})

test('the criteria of a rule are described, and a rule without criteria applies to everything', () => {
  assert.deepEqual(criteriaInWords(rule, names), ['All entities'])
  const narrow = { ...rule, entity_types: ['malware'], sources: ['/api/v2/sources/8b4f'], tlps: ['WHITE'] }
  assert.deepEqual(criteriaInWords({ ...narrow, content_criteria: 'tags:bank' }, names), [
    'Malware',
    'from Open feed',
    'TLP:CLEAR',
    'tags:bank',
  ])
})
