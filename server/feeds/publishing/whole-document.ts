import { counted } from '../../formats/counted.ts'
import type { Writer } from '../../formats/shipment.ts'
import type { Content } from './content.ts'

/** Something that is about to be written: its pieces, and how many items they were once all of them have been read. */
export interface Draft {
  readonly pieces: AsyncIterable<string | Buffer>
  items(): number
}

export type Lose = Parameters<Writer>[1]

/** A document with everything that a feed has. */
export async function wholeDocument(
  { type, shipment }: Pick<Content, 'type' | 'shipment'>,
  lose: Lose,
): Promise<Draft> {
  const counting = counted(shipment)
  const { pieces, items: countPieces } = countedPieces((await type.write([]))(counting, lose))
  return { pieces, items: () => type.feed.countItems({ ...counting.counts(), pieces: countPieces() }) }
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
