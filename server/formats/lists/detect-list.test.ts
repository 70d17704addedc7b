import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { SAMPLES, skipWithoutSamples } from '../../../test/sample-files.ts'
import { shipmentOf, shippedEntity, writtenBy } from '../../../test/shipments.ts'
import { diffLine } from '../csv/diff-lines.ts'
import { ownTable } from '../csv/own-table.ts'
import { readEntitiesCsv } from '../csv/read-entities-csv.ts'
import { readObservablesCsv } from '../csv/read-observables-csv.ts'
import { writeEntitiesCsv } from '../csv/write-entities-csv.ts'
import { writeObservablesCsv } from '../csv/write-observables-csv.ts'
import { DocumentError, documentOf } from '../document.ts'
import { wayOf } from '../formats.ts'
import { detectList } from './detect-list.ts'

/** Returns the observables of a file that is detected as a list; otherwise undefined. */
async function observablesOf(text: string | Buffer): Promise<string[] | undefined> {
  const document = documentOf(text)
  const list = await detectList(document)
  if (!list) return undefined
  const findings = await Array.fromAsync(list.read(document))
  return findings.flatMap((finding) =>
    finding.kind === 'entity' ? (finding.entity.observables ?? []).map(({ type, value }) => `${type} ${value}`) : [],
  )
}

test('our own tables are recognised by their columns', async () => {
  const shipment = shipmentOf([shippedEntity()])
  const entities = await writtenBy(writeEntitiesCsv, shipment)
  assert.equal(await ownTable(documentOf(entities.bytes)), readEntitiesCsv)
  const observables = await writtenBy(writeObservablesCsv, shipment)
  assert.equal(await ownTable(documentOf(observables.bytes)), readObservablesCsv)
  assert.equal(await ownTable(documentOf(diffLine.head(observables.bytes.toString()))), readObservablesCsv)
})

test('a header with clear names determines the observables of each column', async () => {
  assert.deepEqual(await observablesOf('IP;Domain;note\n192.0.2.1;a.example;x\n'), [
    'ipv4 192.0.2.1',
    'domain a.example',
  ])
  assert.deepEqual(await observablesOf('type,value,comment\nurl,http://a.example/,x\nip-dst,192.0.2.1,\n'), [
    'uri http://a.example/',
    'ipv4 192.0.2.1',
  ])
  assert.deepEqual(
    await observablesOf('"Indicator type","Indicator"\nFileHash-MD5,d41d8cd98f00b204e9800998ecf8427e\n'),
    ['hash-md5 d41d8cd98f00b204e9800998ecf8427e'],
  )
  assert.deepEqual(await observablesOf('# made today\nsha256\tname\n'.concat('a'.repeat(64), '\tx\n')), [
    `hash-sha256 ${'a'.repeat(64)}`,
  ])
  assert.deepEqual(await observablesOf(Buffer.from('\uFEFFdomain\na.example\nb.example\n', 'utf16le')), [
    'domain a.example',
    'domain b.example',
  ])
})

test('texts and other tables are left to other readers', async () => {
  for (const text of [
    '',
    'name,description\na,b\n',
    'Indicator\nThis is a text, and no list.\n',
    'domain\n',
    'ip,\0\n',
  ]) {
    assert.equal(await observablesOf(text), undefined, text)
  }
  assert.equal(await observablesOf(Buffer.from([0xff, 0xfe, 0x00])), undefined)
})

test('a table with rows of different widths is rejected', { skip: skipWithoutSamples }, async () => {
  const ragged = documentOf(readFileSync(join(SAMPLES, 'negative/ragged.csv')), 'ragged.csv')
  const { read } = await wayOf('csv', ragged, {})
  await assert.rejects(
    Array.fromAsync(read(ragged)),
    (error) => error instanceof DocumentError && /line 2/.test(error.message),
  )
})

test('tables of companies and countries are left to other readers', { skip: skipWithoutSamples }, async () => {
  const folder = join(SAMPLES, 'csv/opencti-datasets/raw')
  for (const name of readdirSync(folder)) assert.equal(await observablesOf(readFileSync(join(folder, name))), undefined)
})
