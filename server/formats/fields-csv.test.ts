import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attackVocabulary } from '../../test/attack-nodes.ts'
import { fieldsCsv } from './fields-csv.ts'
import { inPieces } from './pieces.ts'
import type { Shipment, ShippedEntity } from './shipment.ts'

const entity = (data: Record<string, unknown>, more: Partial<ShippedEntity> = {}): ShippedEntity => ({
  id: '1',
  data: { id: '{x}report-1', type: 'report', title: 'A', ...data },
  meta: { tags: ['a', 'b'] },
  taxonomy_paths: [
    ['sector', 'energy'],
    ['region', 'eu'],
  ],
  relevancy: 0.25,
  sources: [{ id: 's', name: 'Feed', type: 'group' }],
  created_at: '2026-01-01T00:00:00.000000+00:00',
  last_updated_at: '2026-01-02T00:00:00.000000+00:00',
  created: '2026-01-01T00:00:00.000000+00:00',
  modified: '2026-01-02T00:00:00.000000+00:00',
  observables: [],
  attachments: [],
  kept: [],
  ...more,
})

const shipmentOf = (entities: readonly ShippedEntity[]): Shipment => ({
  at: '2026-01-03T00:00:00.000000+00:00',
  baseUrl: 'https://corvus.example',
  producer: { namespace: 'https://corvus.example/', alias: '', name: 'Corvus' },
  attacks: attackVocabulary,
  entities: async function* () {
    yield* entities
  },
  relationships: async function* () {},
})

async function written(fields: readonly string[], ...entities: ShippedEntity[]): Promise<string> {
  const pieces = await Array.fromAsync(inPieces(fieldsCsv(fields)(shipmentOf(entities), () => {})))
  return Buffer.concat(pieces).toString()
}

test('values are in the columns of their fields, and lists are joined with semicolons', async () => {
  const fields = ['data.title', 'meta.tags', 'taxonomies', 'sources.name', 'relevancy', 'url']
  assert.equal(
    await written(fields, entity({ title: 'A, "B"' })),
    `${fields.join(',')}\r\n"A, ""B""",a;b,sector/energy;region/eu,Feed,0.25,https://corvus.example/api/v2/entities/1\r\n`,
  )
})

test('a path leads through lists, and gives nothing if it does not exist', async () => {
  const data = { names: [{ value: 'x' }, { other: 1 }, { value: 'y' }], deep: { list: [1, 2] }, record: { a: 1 } }
  const fields = ['data.names.value', 'data.deep.list', 'data.record', 'data.absent.far', 'data.title.length']
  assert.equal(await written(fields, entity(data)).then((text) => text.split('\r\n')[1]), 'x;y,1;2,"{""a"":1}",,')
})

test('names of built-in object properties are nothing special', async () => {
  const fields = ['data.__proto__', 'data.constructor.name', 'constructor', '__proto__']
  assert.equal(await written(fields, entity({})).then((text) => text.split('\r\n')[1]), ',,,')
})

test('cells that a spreadsheet would evaluate are written as text', async () => {
  const data = { title: '=HYPERLINK("x")', description: '@x', list: ['-1', '+2'] }
  assert.equal(
    await written(['data.title', 'data.description', 'data.list'], entity(data)).then((text) => text.split('\r\n')[1]),
    `"'=HYPERLINK(""x"")",'@x,'-1;+2`,
  )
})
