import type { Shipment, Writer } from '../shipment.ts'
import { uuidOf } from './ids.ts'
import { stix2Objects } from './stix2-objects.ts'

/** Writes a STIX 2.1 bundle. */
export const writeStix2: Writer = (shipment, lose) => bundleOf(shipment, printed(stix2Objects(shipment, lose)))

/** Wraps serialised objects in a bundle. The bundle id derives from the time and origin of the shipment. */
export async function* bundleOf(shipment: Shipment, objects: AsyncIterable<string>): AsyncGenerator<string> {
  let separator = ''
  for await (const object of objects) {
    if (separator === '') yield head(shipment)
    yield `${separator}${object}`
    separator = ',\n'
  }
  yield separator === '' ? `${head(shipment).trimEnd()}]}\n` : '\n]}\n'
}

const head = ({ baseUrl, at }: Shipment): string =>
  `{"type":"bundle","id":"bundle--${uuidOf('bundle', baseUrl, at)}","objects":[\n`

async function* printed(objects: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const object of objects) yield JSON.stringify(object)
}
