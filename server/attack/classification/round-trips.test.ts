import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attackVocabulary, livePlaces } from '../../../test/attack-nodes.ts'
import { shipmentOf, shippedEntity, writtenBy } from '../../../test/shipments.ts'
import { documentOf } from '../../formats/document.ts'
import type { Finding, FoundEntity, Reader } from '../../formats/finding.ts'
import { readMisp } from '../../formats/misp/read-misp.ts'
import { writeMisp } from '../../formats/misp/write/write-misp.ts'
import { readPlatformJson } from '../../formats/platform-json/read-platform-json.ts'
import { writePlatformJson } from '../../formats/platform-json/write-platform-json.ts'
import type { Writer } from '../../formats/shipment.ts'
import { readStix2 } from '../../formats/stix2/read-stix2.ts'
import { writeStix2 } from '../../formats/stix2/write-stix2.ts'

const uuid = (n: number) => `4f0d2b1e-0f4b-4c39-9d4b-${String(n).padStart(12, '0')}`

const classified = (type: string, n: number, attacks: readonly string[]) =>
  shippedEntity({ data: { id: `${type}--${uuid(n)}`, type, title: `Entity ${n}` }, meta: { attacks } })

/** What an import makes of the words of an entity. */
const resolved = ({ meta, attacks = [] }: FoundEntity): readonly string[] => {
  const ids = Array.isArray(meta?.attacks) ? meta.attacks : []
  return attackVocabulary.idsOf([...ids.map((id) => ({ id: String(id) })), ...attacks])
}

async function writtenAndRead(writer: Writer, reader: Reader, type: string, attacks: readonly (readonly string[])[]) {
  const shipment = shipmentOf(attacks.map((ids, n) => classified(type, n, ids)))
  const { bytes, losses } = await writtenBy(writer, shipment)
  const findings: Finding[] = await Array.fromAsync(reader(documentOf(bytes.toString())))
  const entities = new Map(
    findings.flatMap((finding) => (finding.kind === 'entity' ? [[finding.entity.data.id, finding.entity]] : [])),
  )
  const found = attacks.map((_, n) => entities.get(`${type}--${uuid(n)}`))
  return { text: bytes.toString(), losses, found: found.map((entity) => entity && resolved(entity)) }
}

const each = livePlaces.map(({ id }) => [id])

for (const type of ['attack-pattern', 'report', 'indicator'])
  test(`every live place of every framework survives STIX 2.1 as the classification of a ${type}`, async () => {
    const { found, text } = await writtenAndRead(writeStix2, readStix2, type, each)
    assert.deepEqual(found, each)
    const { objects } = JSON.parse(text) as { objects: Record<string, unknown>[] }
    const extended = objects.filter(({ extensions }) => JSON.stringify(extensions)?.includes('"attacks"'))
    // An attack pattern says it by its references and phases alone.
    assert.equal(extended.length, type === 'attack-pattern' ? 0 : each.length)
  })

test('every live place of every framework survives a MISP event as the classification of a report', async () => {
  const { found, losses } = await writtenAndRead(writeMisp, readMisp, 'report', each)
  assert.deepEqual(found, each)
  assert.deepEqual(losses, [])
})

test('the platform JSON has all nodes as they are', async () => {
  const all = [...each, ['TA0001', 'enterprise-attack', 'DISARM', 'TA9999:T9999', 'TA0001:T1566']]
  const { found } = await writtenAndRead(writePlatformJson, readPlatformJson, 'report', all)
  assert.deepEqual(found, all)
})

test('MISP reports the attack nodes that it cannot express', async () => {
  const { found, losses } = await writtenAndRead(writeMisp, readMisp, 'report', [['TA0001', 'TA0001:T1566', 'T9999']])
  assert.deepEqual(found, [['TA0001:T1566']])
  assert.deepEqual(losses, [`report--${uuid(0)}: attack nodes that are not known techniques: TA0001, T9999`])
})

test('STIX keeps every other node in the extension, and what was removed stays removed', async () => {
  const others = [['TA0001'], ['T9999', 'TA0005:T1685'], ['TA0001:T1566', 'TA0003:T1078', 'TA01']]
  for (const type of ['attack-pattern', 'malware'])
    assert.deepEqual((await writtenAndRead(writeStix2, readStix2, type, others)).found, others)
  const external_references = [{ source_name: 'mitre-attack', external_id: 'T1566' }]
  const unclassified = shippedEntity({
    data: { id: `attack-pattern--${uuid(1)}`, type: 'attack-pattern', title: 'x', external_references },
  })
  const { bytes } = await writtenBy(writeStix2, shipmentOf([unclassified]))
  const [finding] = await Array.fromAsync(readStix2(documentOf(bytes.toString())))
  assert.ok(finding?.kind === 'entity')
  assert.deepEqual(resolved(finding.entity), [])
})
