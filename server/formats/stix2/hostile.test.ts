import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { effort } from '../../../test/effort.ts'
import { hostileEntity, hostileRelationship } from '../../../test/hostile-stix.ts'
import { shipmentOf, shippedEntity, writtenBy } from '../../../test/shipments.ts'
import { assertValid, findingsOf, isWithoutValidator } from '../../../test/stix-round-trip.ts'
import { readStrictly } from '../../../test/strict-stix.ts'
import { OBSERVABLE_TYPES } from '../../domain/observables/types.ts'
import type { ShippedEntity, ShippedRelationship } from '../shipment.ts'
import { CORVUS } from './extension.ts'
import { isValidObject } from './faults.ts'
import { writeStix2 } from './write-stix2.ts'

const RUNS = { numRuns: effort(3000, 200) }

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

async function written(entities: readonly ShippedEntity[], relationships: readonly ShippedRelationship[] = []) {
  return (await writtenBy(writeStix2, shipmentOf(entities, relationships))).bytes.toString()
}

test('strict readers accept the export of any stored entity', async () => {
  await fc.assert(
    fc.asyncProperty(hostileEntity, async (entity) => {
      readStrictly(await written([entity]))
    }),
    RUNS,
  )
})

test('any stored entity survives a round trip', async () => {
  await fc.assert(
    fc.asyncProperty(hostileEntity, async (entity) => {
      const findings = await findingsOf(await written([entity]))
      const found = findings.flatMap((finding) => (finding.kind === 'entity' ? [finding.entity] : []))
      const own = found.find(({ data }) => data.id === entity.data.id)
      assert.deepEqual(asJson(own?.data), asJson(entity.data))
      const kept = new Map(found.flatMap((each) => each.kept ?? []).map(({ id, object }) => [id, object]))
      for (const { id, object } of entity.kept) assert.deepEqual(asJson(kept.get(id)), asJson(object))
    }),
    RUNS,
  )
})

test('a cyber observable with a domain object property that strict readers reject is not written as one', async () => {
  const certificate = { type: 'x509-certificate', id: 'x509-certificate--4f0d2b1e-0f4b-4c39-9d4b-0c5a5f6b8a11' }
  for (const more of [{ created_by_ref: '' }, { confidence: 'high' }, { external_references: [{}] }, { labels: [1] }])
    assert.equal(isValidObject({ ...certificate, version: 'v3', ...more }), false, JSON.stringify(more))
  assert.ok(isValidObject({ ...certificate, version: 'v3', created_by_ref: CORVUS.id, confidence: 80 }))
})

test('strict readers accept the export of any stored relationship, and it survives a round trip', async () => {
  await fc.assert(
    fc.asyncProperty(hostileRelationship, async (relationship) => {
      const ends = [
        shippedEntity({ data: { id: relationship.data.source, type: 'malware', title: 'a' } }),
        shippedEntity({
          data: {
            id: relationship.data.target,
            type: relationship.target_type,
            title: 'b',
            ...(relationship.target_type === 'custom-entity' && { custom_entity_type: 'x-own' }),
          },
        }),
      ]
      const text = await written(ends, [relationship])
      readStrictly(text)
      const found = (await findingsOf(text)).flatMap((finding) =>
        finding.kind === 'relationship' && finding.relationship.id === relationship.id ? [finding.relationship] : [],
      )
      assert.deepEqual(asJson(found[0]?.data), asJson(relationship.data))
    }),
    RUNS,
  )
})

const VALUES = [
  '',
  ' ',
  'word',
  '198.51.100.999',
  '::1',
  "it's \\",
  'ü',
  'a@b@c',
  'HKLM\\x',
  'zz',
  'AS1',
  'http://ü.example/ x',
]

test('observables with any value become cyber observables that strict readers accept', async () => {
  const texts: string[] = []
  for (const type of OBSERVABLE_TYPES) {
    const observables = VALUES.map((value, id) => ({
      id,
      type,
      value,
      meta: {},
      created_at: '',
      last_updated_at: '',
      sources: [],
      link_type: null,
    }))
    for (const kind of ['indicator', 'report', 'malware']) {
      const data = {
        id: `{https://corvus.example/}${kind}-4f0d2b1e-0f4b-4c39-9d4b-0c5a5f6b8a11`,
        type: kind,
        title: 'a',
      }
      texts.push(await written([shippedEntity({ data, observables })]))
    }
  }
  for (const text of texts) readStrictly(text)
  if (!isWithoutValidator) await assertValid(texts)
})

test('the STIX schemas accept every export', { skip: isWithoutValidator }, async () => {
  const entities = fc.sample(hostileEntity, effort(2000, 300))
  const texts = await Promise.all(entities.map((entity) => written([entity])))
  await assertValid(texts)
})
