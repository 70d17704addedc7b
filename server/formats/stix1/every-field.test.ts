import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { arbitraryOf } from '../../../test/set-up/schema-arbitrary.ts'
import { shipmentOf } from '../../../test/set-up/stix1-shipment.ts'
import { faultsOfDocuments, whyNotValidated } from '../../../test/set-up/stix1-validator.ts'
import { entityData, entityTypes } from '../../intelligence/entities/entity-data.ts'
import { documentOf } from '../document.ts'
import type { Finding, FoundEntity } from '../finding.ts'
import { readStix1 } from './read/read-stix1.ts'
import { writeStix1 } from './write/write-stix1.ts'

const PER_TYPE = 20

/** Generates entities of one type with varying combinations of the fields in its schema. */
function generated(type: string): Finding[] {
  const schema = entityData.options.find((option) => option.shape.type.safeParse(type).success)
  assert.ok(schema, type)
  const uuid = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
  return fc
    .sample(
      arbitraryOf(schema).filter((data) => data !== undefined),
      { numRuns: PER_TYPE, seed: 7 },
    )
    .map((data, index) => {
      const id = `{http://example.com/}${type}-${uuid(index)}`
      const entity = { data: { ...(data as FoundEntity['data']), type, id }, meta: { tlp_color: 'AMBER' } }
      return { kind: 'entity', at: '', entity }
    })
}

async function written(findings: readonly Finding[]): Promise<string> {
  const pieces = await Array.fromAsync(writeStix1(shipmentOf(findings), () => {}))
  return pieces.join('')
}

test('every type with any of its fields is valid under the official schema', { skip: whyNotValidated() }, async () => {
  const documents = await Promise.all(entityTypes.map(async (type) => [type, await written(generated(type))] as const))
  assert.equal(faultsOfDocuments(Object.fromEntries(documents)), '')
})

/** The type after a round trip. A custom entity becomes a report, because nothing records its type. */
const typeAfter = (type: string): string => (type === 'custom-entity' ? 'report' : type)

test('every type survives a round trip with its id, title, colour and valid fields', async () => {
  for (const type of entityTypes) {
    const findings = generated(type)
    const again = await Array.fromAsync(readStix1(documentOf(await written(findings))))
    const entities = again.flatMap((finding) => (finding.kind === 'entity' ? [finding.entity] : []))
    assert.equal(entities.length, PER_TYPE, type)
    for (const [index, { data, meta }] of entities.entries()) {
      const before = findings[index]
      assert.ok(before?.kind === 'entity')
      assert.deepEqual(
        [data.id, data.type, data.title],
        [before.entity.data.id, typeAfter(type), before.entity.data.title],
      )
      assert.deepEqual(meta, { tlp_color: 'AMBER' })
      entityData.parse(structuredClone(data))
    }
  }
})

test('exporting a re-imported document gives the same document', async () => {
  for (const type of entityTypes) {
    const first = await Array.fromAsync(readStix1(documentOf(await written(generated(type)))))
    const second = await Array.fromAsync(readStix1(documentOf(await written(first))))
    const data = (findings: readonly Finding[]) =>
      findings.map((finding) => finding.kind === 'entity' && finding.entity)
    assert.deepEqual(data(second), data(first), type)
  }
})
