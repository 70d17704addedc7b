import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultsOf, messageOf } from '../../../engine/body.ts'
import { entityData } from '../entity-data.ts'

const faults = (type: string, fields: object): string[] => {
  const data = { type, title: 'x', custom_entity_type: 'x', ...fields }
  const { error } = entityData.safeParse(data, { error: messageOf })
  return error ? faultsOf(error) : []
}

/** Accepted and refused values of every form of field. */
const forms: Record<string, { good: unknown[]; bad: unknown[] }> = {
  text: { good: ['', 'x'], bad: [5, null, {}, ['x']] },
  words: { good: [[], ['x', 'y']], bad: ['x', [5], null, {}] },
  time: { good: ['2024-01-29T07:42:07.059Z', '2024-01-29'], bad: ['soon', 5, null] },
  flag: { good: [true, false], bad: ['true', 1, null] },
  number: { good: [0, 1.5], bad: ['1', null] },
  record: { good: [{}, { x: 1 }], bad: [5, [], null] },
  records: { good: [[], [{ x: 1 }]], bad: [5, {}, [5], null] },
  named: { good: [[], [{ value: 'x', y: 1 }]], bad: [['x'], [{}], { value: 'x' }] },
  phases: { good: [[{ kill_chain_name: 'a', phase_name: 'b' }]], bad: [[{ phase_name: 'b' }], ['a'], {}] },
  terms: { good: [['x', { value: 'y' }]], bad: ['x', [5], [{}], null] },
  term: { good: ['x', { value: 'y' }], bad: [5, {}, null] },
  level: { good: [{}, { value: 'High' }], bad: ['High', { value: 'foreign' }] },
  free: { good: [{}, { a: 1 }, [{ name: 'a', value: 1 }]], bad: [5, 'x', [5]] },
}

const stix = `name text, spec_version text, created time, modified time, created_by_ref text,
  revoked flag, labels words, lang text, object_marking_refs words, granular_markings records,
  extensions record`

const common = `description text, short_description text, description_structuring_format text,
  handling records, information_source record`

const fields: [type: string, fields: string][] = [
  ['attack-pattern', 'aliases words, kill_chain_phases phases'],
  [
    'campaign',
    `names named, intended_effects named, custom_attributes free, aliases words, objective text, first_seen time,
    last_seen time`,
  ],
  ['course-of-action', 'cost level, efficacy level, impact level, objective record, custom_attributes free'],
  ['custom-entity', 'custom_attributes free'],
  ['exploit-target', 'vulnerabilities records, weaknesses records, custom_attributes free'],
  ['identity', 'roles words, identity_class text, sectors words, contact_information text'],
  [
    'incident',
    `categories terms, contacts records, coordinators records, discovery_methods terms, impact_assessment record,
    intended_effects named, reporter record, responders records, security_compromise term, status term,
    time record, victims records`,
  ],
  [
    'indicator',
    `indicator_types words, pattern text, pattern_type text, pattern_version text, valid_from time,
    kill_chain_phases phases, likely_impact level, test_mechanisms records, types terms`,
  ],
  [
    'infrastructure',
    'infrastructure_types words, aliases words, kill_chain_phases phases, first_seen time, last_seen time',
  ],
  [
    'intrusion-set',
    'aliases words, first_seen time, last_seen time, goals words, resource_level text, primary_motivation text',
  ],
  [
    'location',
    `latitude number, longitude number, precision number, region text, country text, administrative_area text,
    city text, street_address text, postal_code text`,
  ],
  [
    'malware',
    `malware_types words, is_family flag, aliases words, kill_chain_phases phases, first_seen time,
    last_seen time, operating_system_refs words, architecture_execution_envs words,
    implementation_languages words, capabilities words, sample_refs words`,
  ],
  [
    'malware-analysis',
    `product text, version text, host_vm_ref text, operating_system_ref text, installed_software_refs words,
    configuration_version text, modules words, analysis_engine_version text, analysis_definition_version text,
    submitted time, analysis_started time, analysis_ended time, result_name text, result text,
    analysis_sco_refs words, sample_ref text`,
  ],
  ['note', 'abstract text, content text, authors words, object_refs words'],
  ['report', 'report_types words, intents terms, published time, object_refs words'],
  ['tool', 'tool_types words, aliases words, kill_chain_phases phases, tool_version text'],
  [
    'ttp',
    'intended_effects named, kill_chain_phases records, behavior record, resources record, victim_targeting record',
  ],
  [
    'vendor-sighting',
    `observed_data_refs words, sighting_of_ref text, summary flag, where_sighted_refs words, first_seen time,
    last_seen time, likely_impact level, security_control record`,
  ],
]

for (const [type, own] of fields) {
  test(`the fields of ${type} are checked where they are present`, () => {
    for (const pair of `${common}, ${stix}, ${own}`.split(/,\s+/)) {
      const [field = '', form = ''] = pair.split(' ')
      for (const value of forms[form]?.good ?? assert.fail(pair)) assert.deepEqual(faults(type, { [field]: value }), [])
      for (const value of forms[form]?.bad ?? [])
        assert.match(faults(type, { [field]: value }).join(), new RegExp(`^${field}\\b.*: `), JSON.stringify(value))
    }
  })
}

test('motivation and resources of an intrusion set may be records of the vocabulary', () => {
  const records = {
    primary_motivation: { value: 'ideology' },
    secondary_motivations: ['dominance', { value: 'revenge' }],
    resource_level: { value: 'government' },
  }
  assert.deepEqual(faults('intrusion-set', records), [])
  assert.match(
    faults('intrusion-set', { resource_level: { value: 'x' } }).join(),
    /^resource_level\.value: must be one of/,
  )
})

test('the tools and the infrastructure of a ttp are checked inside', () => {
  const tools = [{ type: 'tool-information', name: 'x', types: [{ value: 'Port Scanner' }] }]
  const infrastructure = { types: [{ value: 'Hosting - Cloud Hosting' }] }
  assert.deepEqual(faults('ttp', { resources: { tools, infrastructure } }), [])
  const wrong = { tools: [{ hashes: [{ type: 'hash', value: 'x' }] }], infrastructure: { types: [{ value: 'x' }] } }
  assert.deepEqual(
    faults('ttp', { resources: wrong }).map((fault) => fault.split(':')[0]),
    ['resources.tools[0].hashes[0].hash_type', 'resources.infrastructure.types[0].value'],
  )
})

test('an affected asset of an incident is checked inside', () => {
  assert.equal(faults('incident', { affected_assets: [{}] }).length, 5)
})
