import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  anyShippedEntity,
  asFound,
  shipmentOf,
  shippedAttachment,
  shippedEntity,
  writtenBy,
} from '../../../test/shipments.ts'
import { documentOf } from '../document.ts'
import type { Finding } from '../finding.ts'
import type { ShippedEntity } from '../shipment.ts'
import { joinList, splitList } from './lists.ts'
import { ownTable } from './own-table.ts'
import { readEntitiesCsv } from './read-entities-csv.ts'
import { ENTITY_COLUMNS, writeEntitiesCsv } from './write-entities-csv.ts'

const read = (text: string | Buffer): Promise<Finding[]> => Array.fromAsync(readEntitiesCsv(documentOf(text)))

test('an exported table of entities is read back as the same entities', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyShippedEntity, { minLength: 1, maxLength: 3 }), async (entities) => {
      const { bytes } = await writtenBy(writeEntitiesCsv, shipmentOf(entities))
      const found = await read(bytes)
      const expected = await Promise.all(entities.map(expectedOf))
      assert.deepEqual(
        found.map((finding) => (finding.kind === 'entity' ? finding.entity : finding)),
        expected,
      )
    }),
  )
})

/** Everything that a table can hold. */
async function expectedOf(entity: ShippedEntity) {
  const { attachments: _attachments, kept: _kept, origin: _origin, ...rest } = await asFound(entity)
  return rest
}

test('our own table is recognised however long its first row is', async () => {
  const long = Array.from({ length: 3000 }, (_, i) => ({
    object_ref: `attack-pattern--${i}`,
    note: 'a "quoted" remark\nof two lines',
  }))
  const entity = shippedEntity()
  const { bytes } = await writtenBy(
    writeEntitiesCsv,
    shipmentOf([{ ...entity, data: { ...entity.data, x_contents: long } }]),
  )
  assert.ok(bytes.length > 200_000)
  assert.equal(await ownTable(documentOf(bytes, 'export.csv')), readEntitiesCsv)
})

test('data that a table cannot hold is reported', async () => {
  const entity = shippedEntity({
    attachments: [shippedAttachment('a.txt', Buffer.from('a'))],
    kept: [{ id: 'x', object: {} }],
  })
  const { losses } = await writtenBy(writeEntitiesCsv, shipmentOf([entity]))
  assert.equal(losses.length, 2)
  for (const loss of losses) assert.match(loss, /not supported in a table$/)
})

test('the withdrawal of an entity survives a round trip', async () => {
  const { meta, ...entity } = shippedEntity({})
  const { bytes } = await writtenBy(
    writeEntitiesCsv,
    shipmentOf([
      { ...entity, meta },
      { ...entity, meta: { ...meta, is_withdrawn: true } },
    ]),
  )
  const found = (await read(bytes)).map((finding) => (finding.kind === 'entity' ? finding.entity : finding))
  assert.deepEqual(
    found.map((each) => 'isWithdrawn' in each && each.isWithdrawn),
    [false, true],
  )
  assert.ok(found.every((each) => 'meta' in each && !('is_withdrawn' in (each.meta ?? {}))))
})

test('every line has the columns of the header, and no cell starts like a formula', async () => {
  const entity = shippedEntity({ data: { id: 'x', type: 'report', title: '=cmd()', description: '+1' } })
  const { bytes } = await writtenBy(writeEntitiesCsv, shipmentOf([entity]))
  const [header, line] = bytes.toString().split('\r\n')
  assert.equal(header, ENTITY_COLUMNS.join(','))
  assert.ok(line?.startsWith("x,report,'=cmd(),'+1,"), line)
})

test('a subset of the columns is sufficient, and rows without required values are lost', async () => {
  const findings = await read('data.title,data.type,data.other\na,report,\n,report,\nc,report,{\nd,note,"{""x"":1}"\n')
  assert.deepEqual(
    findings.map((finding) => (finding.kind === 'entity' ? finding.entity.data.title : finding)),
    [
      'a',
      { kind: 'lost', at: 'line 3', losses: ['data.type and data.title are required'] },
      { kind: 'lost', at: 'line 4', losses: ['data.other is not a JSON object'] },
      'd',
    ],
  )
  assert.deepEqual(await read('data.title,data.type\na,report\n'), await read('data.title,data.type\na,report\n'))
})

test('any list survives a round trip through a cell', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom('a', ';', '\\') }), { minLength: 1 }), (texts) => {
      assert.deepEqual(splitList(joinList(texts)), texts)
    }),
  )
})
