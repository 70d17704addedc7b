import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { asset, faults, md5, sure } from '../../../../test/set-up/records.ts'
import { affectedAsset } from './affected-asset.ts'
import { attackerInfrastructureType } from './attacker-infrastructure-type.ts'
import { attackerToolType } from './attacker-tool-type.ts'
import { ciqIdentity } from './ciq-identity.ts'
import { applicabilityConfidence, confidenceRecord } from './confidence.ts'
import { cvssScore } from './cvss-score.ts'
import { dataAttachment } from './data-attachment.ts'
import { configuration, vulnerability, weakness } from './exploitable.ts'
import { capecReference, externalReference } from './external-reference.ts'
import { extract } from './extract.ts'
import { hash } from './hash.ts'
import { informationSource } from './information-source.ts'
import { killChainPhase } from './kill-chain-phase.ts'
import { markingSpecification } from './marking-specification.ts'
import { attackMotivation, attackResourceLevel } from './motivation.ts'
import { propertyAffected } from './property-affected.ts'
import { reportTemplateSummary } from './report-template-summary.ts'
import { searchQuery } from './search-query.ts'
import { impact, intendedEffect, objective } from './statement.ts'
import { toolInformation } from './tool-information.ts'
import { controlledVocabulary, valueRequired } from './vocabulary.ts'

const constants: [z.ZodType, constant: string, rest?: object][] = [
  [affectedAsset, 'affected-asset', asset],
  [confidenceRecord, 'confidence', sure],
  [toolInformation, 'tool-information'],
  [hash, 'hash', md5],
  [cvssScore, 'cvss-vector'],
  [dataAttachment, 'vendor-attachment', { name: 'a', content: '' }],
  [ciqIdentity, 'identity'],
  [configuration, 'configuration', { cce_id: 'CCE-1', description: 'x' }],
  [informationSource, 'information-source'],
]

test('the type of a typed record is its constant and nothing else', () => {
  for (const [schema, type, rest] of constants) {
    assert.deepEqual(faults(schema, { ...rest, type }), [], type)
    assert.match(faults(schema, { ...rest, type: 'foreign' }).join(), /^type: must be (one of )?'.+', not 'foreign'$/)
  }
})

const required: [z.ZodType, whole: Record<string, unknown>][] = [
  [affectedAsset, asset],
  [confidenceRecord, sure],
  [applicabilityConfidence, { value: 'Low' }],
  [attackMotivation, { value: 'revenge' }],
  [attackResourceLevel, { value: 'team' }],
  [attackerToolType, { value: 'Malware' }],
  [attackerInfrastructureType, { value: 'Hosting' }],
  [hash, md5],
  [controlledVocabulary, { value: 'x' }],
  [valueRequired, { value: 'x' }],
  [intendedEffect, { value: 'Theft' }],
  [capecReference, { external_id: 'CAPEC-98', source_name: 'capec' }],
  [externalReference, { source_name: 'x' }],
  [dataAttachment, { type: 'vendor-attachment', name: 'a', content: '' }],
  [configuration, { cce_id: 'CCE-1', description: 'x' }],
  [searchQuery, { query_string: { query: 'x' } }],
  [killChainPhase, { kill_chain_name: 'a', phase_name: 'b' }],
  [extract, { kind: 'ipv4', value: '192.0.2.1' }],
]

test('a record is valid with its required fields, and each missing one is reported by name', () => {
  for (const [schema, whole] of required) {
    assert.deepEqual(faults(schema, whole), [])
    for (const field of Object.keys(whole)) {
      const { [field]: _, ...rest } = whole
      assert.match(faults(schema, rest).join(), new RegExp(`^${field}: (is required|must be CAPEC-.*)$`))
    }
  }
})

const open = [toolInformation, ciqIdentity, cvssScore, informationSource, markingSpecification, propertyAffected]
const others = [vulnerability, weakness, objective, reportTemplateSummary, impact]
const all = [...required, ...[...open, ...others].map((schema): [z.ZodType, object] => [schema, {}])]

test('a record keeps unknown properties', () => {
  for (const [schema, whole] of all) {
    const sent = { ...whole, x_own: { deep: [1, null, 'two'] } }
    assert.deepEqual(schema.parse(sent), sent)
  }
})

test('a list, string or number is not a record', () => {
  for (const [schema] of all)
    for (const value of [[], 'x', 5, null]) assert.match(faults(schema, value).join(), /^must be of type object, not /)
})

test('a JSON Schema can be made of every record', () => {
  // Without the names that the OpenAPI document gives to schemas, which would be answered as references.
  for (const [schema] of all) {
    const { type } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', metadata: z.registry() })
    assert.equal(type, 'object')
  }
})

test('texts that must say something may be one character long but not empty', () => {
  assert.deepEqual(faults(affectedAsset, { ...asset, description: '' }), [
    'description: must have at least 1 character',
  ])
  const setting = { cce_id: 'CCE-1', description: '' }
  assert.deepEqual(faults(configuration, setting), ['description: must have at least 1 character'])
  assert.deepEqual(faults(configuration, { ...setting, description: 'x' }), [])
})

test('a bit mask is pairs of hexadecimal digits', () => {
  for (const mask of ['0f', 'A0ff']) assert.deepEqual(faults(hash, { ...md5, bit_mask: mask }), [])
  for (const mask of ['', 'f', '0g', '0ff'])
    assert.deepEqual(faults(hash, { ...md5, bit_mask: mask }), ['bit_mask: must be pairs of hexadecimal digits'])
})

test('a CAPEC reference has digits after its prefix', () => {
  const reference = { source_name: 'capec', external_id: 'CAPEC-1' }
  assert.deepEqual(faults(capecReference, reference), [])
  for (const id of ['CAPEC-', 'CAPEC-x', 'capec-1', 'x CAPEC-1'])
    assert.deepEqual(faults(capecReference, { ...reference, external_id: id }), [
      'external_id: must be CAPEC- followed by digits',
    ])
  assert.equal(faults(capecReference, { ...reference, source_name: 'cve' }).length, 1)
})

test('the older name of an attachment is read and answered as the current one', () => {
  const { type } = dataAttachment.parse({ type: 'eclecticiq-attachment', name: 'a', content: '' })
  assert.equal(type, 'vendor-attachment')
})

test('the hashes of an external reference map names to texts', () => {
  assert.deepEqual(faults(externalReference, { source_name: 'x', hashes: { 'SHA-256': 'ab' } }), [])
  assert.deepEqual(faults(externalReference, { source_name: 'x', hashes: { 'SHA-256': 1 } }), [
    'hashes.SHA-256: must be of type string, not 1',
  ])
})

test('a search query may be lenient', () => {
  assert.deepEqual(faults(searchQuery, { query_string: { query: 'a AND b', lenient: true } }), [])
  assert.deepEqual(faults(searchQuery, { query_string: { lenient: true } }), ['query_string.query: is required'])
})
