import type { Shipment } from '../../shipment.ts'
import { textIn } from './fields.ts'
import { type KindName, kindOf } from './kinds.ts'

/** A relationship as a component has it: to what, and why. */
export interface Link {
  readonly target: string
  readonly targetType: string
  readonly kind: KindName
  readonly key: string
  readonly description: string | undefined
  readonly confidence: unknown
}

/** The relationships of each entity, in the order in which they came. */
export interface LinkIndex {
  of(id: string): Link[]
}

type Row = readonly [
  source: string,
  target: string,
  type: string,
  key: string,
  description: string,
  confidence: unknown,
]

/** Reads all relationships once; what STIX has no words for is lost here. */
export async function indexLinks(shipment: Shipment, lose: (id: string, loss: string) => void): Promise<LinkIndex> {
  const shelf = openShelf()
  /** The last row of each source, by a number that is made of its id. */
  const last = new Map<number, number>()
  for await (const { id, data, target_type, meta } of shipment.relationships()) {
    const { source, target, key, confidence = null } = data
    const row: Row = [source, target, target_type, key, textIn(data.description) ?? '', confidence]
    const number = numberOf(source)
    last.set(number, shelf.put(last.get(number) ?? NOWHERE, JSON.stringify(row)))
    if (meta.tlp_color && meta.tlp_color !== 'NONE')
      lose(id, `the colour ${meta.tlp_color} of a relationship has no place in STIX 1.2`)
  }
  return {
    of(id) {
      const links: Link[] = []
      for (let place = last.get(numberOf(id)) ?? NOWHERE; place !== NOWHERE; place = shelf.before(place)) {
        const row = JSON.parse(shelf.at(place)) as Row
        if (row[0] === id) links.push(linkOf(row))
      }
      return links.reverse()
    },
  }
}

const linkOf = ([, target, targetType, key, description, confidence]: Row): Link => ({
  target,
  targetType,
  kind: kindOf(targetType),
  key,
  description: description === '' ? undefined : description,
  confidence: confidence ?? undefined,
})

const NOWHERE = -1
const PIECE = 1024 * 1024
/** The place of the row before, and the length of the text. */
const HEAD = 12

/**
 * Keeps texts outside of the heap, each with the place of another one: a hundred thousand objects of their own would take several
 * times as much memory. A place is a piece and an offset in it.
 */
function openShelf() {
  const pieces: Buffer[] = []
  let used = PIECE
  return {
    put(before: number, text: string): number {
      const size = HEAD + Buffer.byteLength(text)
      if (used + size > (pieces.at(-1)?.length ?? 0)) {
        pieces.push(Buffer.allocUnsafeSlow(Math.max(PIECE, size)))
        used = 0
      }
      const piece = pieces.at(-1) as Buffer
      const offset = used
      piece.writeDoubleLE(before, offset)
      piece.writeUInt32LE(size - HEAD, offset + 8)
      piece.write(text, offset + HEAD)
      used += size
      return (pieces.length - 1) * SPAN + offset
    },
    before: (place: number): number => pieceOf(place).readDoubleLE(place % SPAN),
    at: (place: number): string => {
      const start = (place % SPAN) + HEAD
      return pieceOf(place).toString('utf8', start, start + pieceOf(place).readUInt32LE(start - 4))
    },
  }

  function pieceOf(place: number): Buffer {
    return pieces[Math.floor(place / SPAN)] as Buffer
  }
}

const SPAN = 2 ** 32

/** A number that is nearly always another for another text: FNV-1a, twice, with 52 bits. Who uses it compares the texts as well. */
function numberOf(text: string): number {
  let low = 0x811c9dc5
  let high = 0x01000193
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    low = Math.imul(low ^ code, 0x01000193)
    high = Math.imul(high ^ code, 0x01000197)
  }
  return (high >>> 12) * SPAN + (low >>> 0)
}
