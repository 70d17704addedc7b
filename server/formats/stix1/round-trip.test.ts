import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { SAMPLES, sampleFiles, skipWithoutSamples } from '../../../test/sample-files.ts'
import { shipmentOf } from '../../../test/set-up/stix1-shipment.ts'
import { faultsOfDocuments, whyNotValidated } from '../../../test/set-up/stix1-validator.ts'
import { EXAMPLES } from '../../domain/observables/examples.ts'
import { OBSERVABLE_TYPES } from '../../domain/observables/types.ts'
import { entityTypes } from '../../intelligence/entities/entity-data.ts'
import { documentOf } from '../document.ts'
import type { Finding, FoundEntity, FoundObservable } from '../finding.ts'
import { readStix1 } from './read/read-stix1.ts'
import { writeStix1 } from './write/write-stix1.ts'

const files = sampleFiles(['stix12', 'stix-pairs'], '.xml').map((file) => join(SAMPLES, file))

const read = (text: string | Buffer): Promise<Finding[]> => Array.fromAsync(readStix1(documentOf(text, 'document.xml')))

async function write(findings: readonly Finding[], losses: string[] = []): Promise<string> {
  const pieces = await Array.fromAsync(writeStix1(shipmentOf(findings), (_id, loss) => losses.push(loss)))
  return pieces.join('')
}

const entitiesIn = (findings: readonly Finding[]): FoundEntity[] =>
  findings.flatMap((finding) => (finding.kind === 'entity' ? [finding.entity] : []))

/** The parts of an entity that must survive a round trip. Everything else is reported as lost. */
function expectedFields({ data, meta, observables = [] }: FoundEntity) {
  const {
    stix1: _,
    handling: __,
    information_source: ___,
    count: ____,
    victim_targeting: _____,
    ...rest
  } = data as Record<string, unknown>
  const values = observables.map(({ type, value }) => `${type} ${value}`).toSorted()
  return [data.id, { ...rest, meta, values }] as const
}

function edges(findings: readonly Finding[]): string[] {
  const ids = new Set(entitiesIn(findings).map(({ data }) => data.id))
  return findings
    .flatMap((finding) => (finding.kind === 'relationship' ? [finding.relationship.data] : []))
    .filter(({ source, target }) => ids.has(source) && ids.has(target))
    .map(({ source, key, target, description }) => [source, key, target, description].join(' '))
    .toSorted()
}

test('every sample survives a round trip with its entities, fields, values and relationships', {
  skip: skipWithoutSamples,
}, async () => {
  for (const file of files) {
    const before = await read(readFileSync(file))
    const after = await read(await write(before))
    assert.deepEqual(
      new Map(entitiesIn(after).map(expectedFields)),
      new Map(entitiesIn(before).map(expectedFields)),
      file,
    )
    assert.deepEqual(edges(after), edges(before), file)
  }
})

test('the export of every sample is valid under the official schema', { skip: whyNotValidated() }, async () => {
  const documents = await Promise.all(
    files.map(async (file, index) => [`${index}`, await write(await read(readFileSync(file)))] as const),
  )
  assert.equal(faultsOfDocuments(Object.fromEntries(documents)), '')
})

const uuid = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`

const entity = (type: string, index: number, observables: FoundObservable[] = []): Finding => ({
  kind: 'entity',
  at: '',
  entity: { data: { type, id: `{http://example.com/}${type}-${uuid(index)}`, title: `${type} ${index}` }, observables },
})

/** Examples of every type, each value once. XML cannot represent control characters. */
const observables: FoundObservable[] = OBSERVABLE_TYPES.flatMap((type) => {
  const values = new Set(
    EXAMPLES[type].good.map(([, kept]) => kept).filter((kept) => !/\p{Cc}/u.test(kept.replaceAll(/[\t\n\r]/g, ''))),
  )
  return [...values].slice(0, 5).map((value) => ({ type, value }))
})

test('observables of every type survive a round trip in entities of every type, with their properties', async () => {
  const said = observables.map((one, index) =>
    index % 3 === 0 ? { ...one, maliciousness: 'high' as const, link_type: 'observed' } : one,
  )
  const before = entityTypes.map((type, index) => entity(type, index, said))
  const text = await write(before)
  const after = new Map(entitiesIn(await read(text)).map(({ data, observables: found = [] }) => [data.id, found]))
  const sorted = (list: readonly FoundObservable[]) => list.map((one) => JSON.stringify(one)).toSorted()
  for (const { data } of entitiesIn(before)) assert.deepEqual(sorted(after.get(data.id) ?? []), sorted(said), data.type)
  assert.ok(whyNotValidated() || faultsOfDocuments({ observables: text }) === '')
})

test('relationships between all types are written if STIX 1.2 supports them, and reported otherwise', async () => {
  const entities = entityTypes.map((type, index) => entity(type, index))
  const ids = entitiesIn(entities).map(({ data }) => String(data.id))
  const relationships: Finding[] = ids.flatMap((source, from) =>
    ids.map((target, to) => ({
      kind: 'relationship',
      at: '',
      relationship: {
        id: uuid(from * 100 + to),
        data: { source, target, key: 'related-to', description: 'Words: of it' },
      },
    })),
  )
  const losses: string[] = []
  const text = await write([...entities, ...relationships], losses)
  const after = edges(await read(text))
  const without = losses.filter((loss) => loss.includes('is not supported in a STIX 1.2')).length
  assert.equal(after.length + without, relationships.length)
  assert.ok(after.length > relationships.length / 2)
  const kept = after.filter((edge) => edge.includes(' related-to ') && edge.endsWith('Words: of it'))
  const renamed = losses.filter((loss) => loss.startsWith('the key')).length
  assert.ok(kept.length >= after.length - renamed - entityTypes.length)
  assert.ok(whyNotValidated() || faultsOfDocuments({ relationships: text }) === '')
})
