import { counted } from '../../formats/counted.ts'
import type { Shipment, Writer } from '../../formats/shipment.ts'
import { writerOf } from '../../formats/writers.ts'
import type { Content } from './content.ts'

/** Something that is about to be written: its pieces, and how many items they were once all of them have been read. */
export interface Draft {
  readonly pieces: AsyncIterable<string | Buffer>
  items(): number
}

export type Lose = Parameters<Writer>[1]

/** A document with everything that a feed has. */
export async function wholeDocument({ urn, shipment }: Pick<Content, 'urn' | 'shipment'>, lose: Lose): Promise<Draft> {
  const counting = counted(shipment)
  const writer = await writerOf(urn)
  switch (urn) {
    case 'urn:eclecticiq.com:csv-extracts:1.0': {
      const rows = withCountedRows(counting)
      return { pieces: writer(rows.shipment, lose), items: rows.items }
    }
    case 'urn:eclecticiq.com:csv-entities:1.0':
      return { pieces: writer(counting, lose), items: () => counting.counts().entities }
    case 'urn:oasis:stix:json:2.1': {
      const [{ stix2Objects }, { bundleOf }] = await Promise.all([
        import('../../formats/stix2/stix2-objects.ts'),
        import('../../formats/stix2/write-stix2.ts'),
      ])
      const objects = countedPieces(printed(stix2Objects(shipment, lose)))
      return { pieces: bundleOf(shipment, objects.pieces), items: objects.items }
    }
    default:
      return {
        pieces: writer(counting, lose),
        items: () => counting.counts().entities + counting.counts().relationships,
      }
  }
}

/** Counts the rows that a table of observables has. */
function withCountedRows(shipment: Shipment) {
  let count = 0
  const entities = async function* (types?: ReadonlySet<string>) {
    for await (const entity of shipment.entities(types)) {
      count += entity.observables.length
      yield entity
    }
  }
  return { shipment: { ...shipment, entities }, items: () => count }
}

/** Counts what goes by. */
export function countedPieces<T extends string | Buffer>(pieces: AsyncIterable<T>, from = 0) {
  let count = from
  const passing = async function* (): AsyncGenerator<T> {
    for await (const piece of pieces) {
      count++
      yield piece
    }
  }
  return { pieces: passing(), items: () => count }
}

async function* printed(objects: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const object of objects) yield JSON.stringify(object)
}
