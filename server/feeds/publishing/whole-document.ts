import { counted } from '../../formats/counted.ts'
import type { Writer } from '../../formats/shipment.ts'
import type { Content } from './content.ts'

/** A document to write: its pieces, and the number of its items, known once all pieces were read. */
export interface PendingDocument {
  readonly pieces: AsyncIterable<string | Buffer>
  items(): number
}

export type Lose = Parameters<Writer>[1]

/** A document with the complete content of a feed. */
export async function wholeDocument(
  { type, shipment }: Pick<Content, 'type' | 'shipment'>,
  lose: Lose,
): Promise<PendingDocument> {
  const counting = counted(shipment)
  const { pieces, items: countPieces } = countedPieces((await type.write([]))(counting, lose))
  return { pieces, items: () => type.feed.countItems({ ...counting.counts(), pieces: countPieces() }) }
}

/** Counts pieces as they are read. */
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
