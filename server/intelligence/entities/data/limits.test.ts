import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultsOf, messageOf } from '../../../engine/body.ts'
import { entityData } from '../entity-data.ts'

const faults = (value: unknown): string[] => {
  const { error } = entityData.safeParse(value, { error: messageOf })
  return error ? faultsOf(error) : []
}

/** The required fields of an entity type. */
const least = (type: string) => ({ type, title: 'x', ...(type === 'custom-entity' && { custom_entity_type: 'asset' }) })

const enumerations: [type: string, field: string, values: string][] = [
  ['report', 'confidence', 'unknown, none, high, low, medium'],
  ['campaign', 'status', 'Future, Historic, Ongoing'],
  [
    'course-of-action',
    'coa_type',
    `Diplomatic Actions, Eradication, Hardening, Internal Blocking, Logical Access Restrictions, Monitoring,
    Other, Patching, Perimeter Blocking, Physical Access Restrictions, Policy Actions, Public Disclosure,
    Rebuilding, Redirection, Redirection (Honey Pot), Training`,
  ],
  ['course-of-action', 'stage', 'Remedy, Response'],
]

test('every value of an enumeration is accepted, and others are refused by name', () => {
  for (const [type, field, values] of enumerations) {
    for (const value of values.split(/,\s+/)) assert.deepEqual(faults({ ...least(type), [field]: value }), [], value)
    const [fault, ...more] = faults({ ...least(type), [field]: 'foreign' })
    assert.match(fault ?? '', new RegExp(`^${field}: must be one of .*, not 'foreign'$`))
    assert.deepEqual(more, [])
  }
})

const limits: [type: string, field: string, good: unknown[], bad: unknown[]][] = [
  ['report', 'id', ['x', 'x'.repeat(500)], ['', 'x'.repeat(501)]],
  ['location', 'latitude', [-90, 90], [-90.1, 90.1]],
  ['location', 'longitude', [-180, 180], [-180.1, 180.1]],
  ['location', 'precision', [0], [-0.1]],
  ['vendor-sighting', 'count', [0, 999_999_999], [-1, 1_000_000_000, 1.5]],
  ['custom-entity', 'custom_entity_type', ['x'], ['', undefined]],
]

test('every limit is exact at both ends', () => {
  for (const [type, field, good, bad] of limits) {
    for (const value of good) assert.deepEqual(faults({ ...least(type), [field]: value }), [])
    for (const value of bad) {
      const [fault, ...more] = faults({ ...least(type), [field]: value })
      assert.ok(fault?.startsWith(`${field}: `), `${field} ${String(value)}`)
      assert.deepEqual(more, [])
    }
  }
})

test('every error is reported at once, with its position', () => {
  const sent = {
    type: 'exploit-target',
    title: 'x',
    configurations: [{ cce_id: 'CCE-1', description: 'x' }, { description: '' }],
    vulnerabilities: [{ cvss_score: { type: 'cvss-vector', base_score: 9.8 } }],
    weaknesses: {},
  }
  assert.deepEqual(faults(sent), [
    'configurations[1].cce_id: is required',
    'configurations[1].description: must have at least 1 character',
    'vulnerabilities[0].cvss_score.base_score: must be of type string, not 9.8',
    'weaknesses: must be of type array, not an object',
  ])
})

test('a reference of an attack pattern to CAPEC has the form of CAPEC', () => {
  const external_references = [{ source_name: 'capec', external_id: 'CAPEC-98' }, { source_name: 'capec' }]
  assert.deepEqual(faults({ ...least('attack-pattern'), external_references }), [
    'external_references[1].external_id: must be CAPEC- followed by digits',
  ])
})
