import { createHash } from 'node:crypto'
import { packedBytes } from '../../attachments-zip/packed-bytes.ts'
import { type ZipInput, zipOf } from '../../attachments-zip/zip.ts'
import type { Shipment, Writer } from '../../shipment.ts'
import { eventsOf } from './events-of.ts'

type Lose = Parameters<Writer>[1]

/** Writes events in the form of a MISP search result. */
export const writeMisp: Writer = async function* (shipment, lose) {
  yield '{"response":['
  let between = '\n'
  for await (const { event } of eventsOf(shipment, lose)) {
    yield `${between}${JSON.stringify({ Event: event })}`
    between = ',\n'
  }
  yield ']}\n'
}

/** Writes a MISP feed as a zip archive: one file per event, the manifest and the hashes. */
export const writeMispFeed: Writer = (shipment, lose) => zipOf(feedFiles(shipment, lose), new Date(shipment.at))

async function* feedFiles(shipment: Shipment, lose: Lose): AsyncGenerator<ZipInput> {
  const manifest = packedBytes()
  const hashes = packedBytes()
  let between = '{\n'
  for await (const { uuid, event, manifest: about, values } of eventsOf(shipment, lose)) {
    manifest.add(Buffer.from(`${between}${JSON.stringify(uuid)}:${JSON.stringify(about)}`))
    between = ',\n'
    for (const value of values) hashes.add(Buffer.from(`${createHash('md5').update(value).digest('hex')},${uuid}\n`))
    yield fileOf(`${uuid}.json`, Buffer.from(JSON.stringify({ Event: event })))
  }
  manifest.add(Buffer.from(between === '{\n' ? '{}\n' : '\n}\n'))
  yield { path: 'manifest.json', size: manifest.size, isCompressible: true, open: manifest.read }
  yield { path: 'hashes.csv', size: hashes.size, isCompressible: true, open: hashes.read }
}

const fileOf = (path: string, bytes: Buffer): ZipInput => ({
  path,
  size: bytes.length,
  isCompressible: true,
  async *open() {
    yield bytes
  },
})
