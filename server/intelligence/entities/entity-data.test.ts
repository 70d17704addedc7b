import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { faultsOf, messageOf } from '../../engine/body.ts'
import { entityData, entityTypes, halfLives } from './entity-data.ts'
import { entityMeta } from './meta.ts'

const faults = (value: unknown): string[] => {
  const { error } = entityData.safeParse(value, { error: messageOf })
  return error ? faultsOf(error) : []
}

/** The required fields of an entity type. */
const least = (type: string) => ({ type, title: 'x', ...(type === 'custom-entity' && { custom_entity_type: 'asset' }) })

const TYPES = `
  attack-pattern, campaign, course-of-action, exploit-target, identity, incident,
  indicator, infrastructure, intrusion-set, location, malware, malware-analysis, note, report, threat-actor,
  tool, ttp, vendor-sighting, custom-entity`

test('every type is accepted with its required fields, and keeps unknown properties', () => {
  assert.deepEqual(new Set(entityTypes), new Set(TYPES.trim().split(/,\s+/)))
  for (const type of entityTypes) {
    const sent = { ...least(type), x_own: { deep: [1, null, 'two'] }, constructor: 'x' }
    assert.deepEqual(entityData.parse(sent), sent)
  }
})

test('an unknown or missing type is one error that names the allowed ones', () => {
  for (const type of ['foreign', 'constructor', '', 5, null, ['campaign']]) {
    const [fault, ...more] = faults({ type, names: 5 })
    assert.match(fault ?? '', /^type: must be one of 'attack-pattern', 'campaign', .*'vendor-sighting', not .+$/)
    assert.deepEqual(more, [])
  }
  assert.deepEqual(faults({ title: 'x' }), [`type: is required, one of ${entityTypes.join(', ')}`])
  assert.deepEqual(faults('campaign'), ["must be of type object, not 'campaign'"])
})

test('the older name of a sighting is read and answered as the current one', () => {
  assert.equal(entityData.parse(least('eclecticiq-sighting')).type, 'vendor-sighting')
})

test('every type needs a title that is not empty', () => {
  for (const type of entityTypes) {
    assert.deepEqual(faults({ ...least(type), title: undefined }), ['title: is required'])
    assert.deepEqual(faults({ ...least(type), title: '' }), ['title: must have at least 1 character'])
  }
})

test('every type takes the common fields, confidence in either form, and times as they were sent', () => {
  const common = {
    id: '{https://example.com/}x-1',
    description: '',
    short_description: 'x',
    description_structuring_format: 'html',
    timestamp: '2024-01-29T07:42:07Z',
    extracts: [{ kind: 'ipv4', value: '192.0.2.1', x: 1 }],
    attachments: [{ type: 'vendor-attachment', name: 'a.txt', content: '', content_type: 'text/plain' }],
    handling: [{ type: 'marking-specification', marking_structures: [{ color: 'RED' }] }],
    information_source: { type: 'information-source', identity: { type: 'identity', name: '' } },
    external_references: [{ source_name: 'x', url: 'https://example.com' }],
  }
  for (const type of entityTypes) {
    for (const confidence of ['high', { type: 'confidence', value: 'High' }]) {
      const sent = { ...least(type), ...common, confidence }
      assert.deepEqual(entityData.parse(sent), sent)
    }
    assert.deepEqual(entityData.parse({ ...least(type), timestamp: null }), { ...least(type), timestamp: null })
    assert.deepEqual(faults({ ...least(type), timestamp: 'now' }), ["timestamp: 'now' is not an ISO 8601 time"])
  }
})

test('what integrations send as a sighting is accepted as it is', () => {
  const sent = {
    ...least('vendor-sighting'),
    confidence: { type: 'confidence', value: 'Medium' },
    likely_impact: {
      type: 'statement',
      value: 'Unknown',
      value_vocab: '{http://stix.mitre.org/default_vocabularies-1}x',
    },
    security_control: {
      type: 'information-source',
      identity: { type: 'identity', name: '' },
      time: { type: 'time', start_time: '2022-03-10T05:37:42Z', start_time_precision: 'second' },
    },
  }
  assert.deepEqual(entityData.parse(sent), sent)
})

test('text that cannot be stored is refused in every place', () => {
  const report = least('report')
  assert.deepEqual(faults({ ...report, description: 'a\u0000b' }), ['description: must not contain the NUL character'])
  assert.deepEqual(faults({ ...report, x: [{ y: '\u0000' }] }), ['x[0].y: must not contain the NUL character'])
  assert.deepEqual(faults({ ...report, x: { 'y\u0000': 1 } }), [
    'x: has a property whose name must not contain the NUL character',
  ])
})

test('every type has a half-life', () => {
  const { campaign, ttp, indicator, report, note } = halfLives
  assert.deepEqual([campaign, ttp, indicator, report, note], [1000, 720, 30, 182, 182])
  for (const type of [
    'threat-actor',
    'malware',
    'tool',
    'intrusion-set',
    'attack-pattern',
    'identity',
    'location',
  ] as const)
    assert.equal(halfLives[type], 1000)
})

test('a JSON Schema can be made of all data and of meta, for requests and for answers', () => {
  for (const io of ['input', 'output'] as const) {
    const { oneOf } = z.toJSONSchema(entityData, { io, unrepresentable: 'any' })
    assert.equal(oneOf?.length, entityTypes.length)
    assert.equal(z.toJSONSchema(entityMeta, { io, unrepresentable: 'any' }).type, 'object')
  }
})
