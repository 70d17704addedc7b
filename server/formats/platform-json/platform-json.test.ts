import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { SAMPLES, skipWithoutSamples } from '../../../test/sample-files.ts'
import {
  anyShippedEntity,
  anyShippedRelationship,
  asFound,
  shipmentOf,
  shippedAttachment,
  shippedEntity,
  writtenBy,
} from '../../../test/shipments.ts'
import { documentOf } from '../document.ts'
import type { Finding } from '../finding.ts'
import type { ShippedRelationship } from '../shipment.ts'
import { originIn } from './origin-in.ts'
import { readPlatformJson } from './read-platform-json.ts'
import { writePlatformJson, writePlatformJson2 } from './write-platform-json.ts'

const read = (text: string | Buffer): Promise<Finding[]> => Array.fromAsync(readPlatformJson(documentOf(text)))

const foundIn = (findings: readonly Finding[]) =>
  findings.map((finding) => {
    if (finding.kind === 'lost' || finding.losses) return finding
    if (finding.kind === 'entity') return finding.entity
    return finding.kind === 'relationship' ? finding.relationship : finding.observable
  })

const relationshipAsFound = ({ id, data, meta, created, modified }: ShippedRelationship) => ({
  id,
  data,
  meta,
  ...originIn({ created, modified }, data),
})

test('entities of every type and relationships survive a round trip', async () => {
  const entities = fc.array(anyShippedEntity, { maxLength: 3 })
  const relationships = fc.array(anyShippedRelationship, { maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(entities, relationships, async (some, between) => {
      const { bytes, losses } = await writtenBy(writePlatformJson, shipmentOf(some, between))
      assert.deepEqual(losses, [])
      assert.deepEqual(foundIn(await read(bytes)), [
        ...(await Promise.all(some.map(asFound))),
        ...between.map(relationshipAsFound),
      ])
    }),
  )
})

test('the older document has the same contents, except for unsupported colours', async () => {
  await fc.assert(
    fc.asyncProperty(anyShippedEntity, anyShippedRelationship, async (entity, between) => {
      const plain: ShippedRelationship = { ...between, data: { source: 'a', target: 'b', key: between.data.key } }
      const { bytes } = await writtenBy(writePlatformJson2, shipmentOf([entity], [plain]))
      const { meta = {}, ...rest } = await asFound(entity)
      const { tlp_color, ...said } = meta
      const [found, relationship] = foundIn(await read(bytes))
      const coloured = tlp_color === null ? said : meta
      assert.deepEqual(found, { ...rest, meta: coloured })
      assert.deepEqual(relationship, relationshipAsFound(plain))
    }),
  )
})

test('the older document has the names that feed clients read', async () => {
  const observable = {
    id: 7,
    type: 'domain',
    value: 'example.com',
    meta: { maliciousness: 'high' },
    created_at: 'x',
    last_updated_at: 'x',
    sources: [],
    link_type: 'test-mechanism',
  }
  const entity = shippedEntity({
    data: { id: 'x', type: 'vendor-sighting', title: 'Seen' },
    meta: { tlp_color: 'AMBER', attacks: ['TA0001'], tags: ['a'] },
    taxonomy_paths: [['a', 'b']],
    observables: [observable, { ...observable, type: 'vendor-portal-uri', meta: {}, link_type: null }],
  })
  const { bytes } = await writtenBy(writePlatformJson2, shipmentOf([entity]))
  assert.partialDeepStrictEqual(JSON.parse(bytes.toString()), {
    type: 'linked-entities',
    'content-type': 'urn:eclecticiq.com:json:2.0',
    entities: [
      {
        id: entity.id,
        data: { type: 'eclecticiq-sighting', title: 'Seen' },
        meta: { title: 'Command server', tlp_color: 'AMBER', tags: ['a'], taxonomy: [['a', 'b']], attack: ['TA0001'] },
        extracts: [
          {
            kind: 'domain',
            value: 'example.com',
            meta: { classification: 'bad', confidence: 'high' },
            instance_meta: { link_types: ['test-mechanism'] },
          },
          { kind: 'fox-it-portal-uri', meta: { classification: 'unknown' }, instance_meta: { link_types: [] } },
        ],
        sources: [{ source_id: '9f7c2c0e-3d1c-4a8e-8f57-0d3c3c1a2b4d', source_type: 'group' }],
      },
    ],
    relations: [],
  })
})

test('an attachment that is too large for readers is reported, and the others are exported', async () => {
  const huge = { ...shippedAttachment('huge.bin', Buffer.from('x')), size: 17 * 1024 * 1024 }
  const entity = shippedEntity({ attachments: [huge, shippedAttachment('a.txt', Buffer.from('abcdefghij'))] })
  const { bytes, losses } = await writtenBy(writePlatformJson, shipmentOf([entity]))
  assert.match(losses.join(), /'huge.bin' is too large for JSON/)
  const [found] = await read(bytes)
  assert.ok(found?.kind === 'entity')
  assert.deepEqual(found.entity.attachments, [{ filename: 'a.txt', bytes: Buffer.from('abcdefghij') }])
})

test('a thousand entities and observables, one per line, are read', { skip: skipWithoutSamples }, async () => {
  for (const [name, kind] of [
    ['entities', 'entity'],
    ['observables', 'observable'],
  ]) {
    const findings = await read(readFileSync(join(SAMPLES, `load-${name}.sample.ndjson`)))
    const kinds = Map.groupBy(findings, (finding) => finding.kind)
    assert.equal(findings.length, 1000)
    assert.ok((kinds.get(kind as 'entity')?.length ?? 0) > 990, [...kinds.keys()].join())
    assert.deepEqual(await read(readFileSync(join(SAMPLES, `load-${name}.sample.ndjson`))), findings)
  }
})
