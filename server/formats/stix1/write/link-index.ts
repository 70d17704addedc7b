import type { Shipment } from '../../shipment.ts'
import { textIn } from './fields.ts'
import { type KindName, kindOf } from './kinds.ts'

/** An outgoing relationship of a component. */
export interface Link {
  readonly target: string
  readonly targetType: string
  readonly kind: KindName
  readonly key: string
  readonly description: string | undefined
  readonly confidence: unknown
}

/** The relationships of each entity, in their original order. */
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

/** Reads all relationships once, and reports the properties that STIX 1.2 cannot express. */
export async function indexLinks(shipment: Shipment, lose: (id: string, loss: string) => void): Promise<LinkIndex> {
  const store = openTextStore()
  /** The last row of each source, by the hash of its id. */
  const last = new Map<number, number>()
  for await (const { id, data, target_type, meta } of shipment.relationships()) {
    const { source, target, key, confidence = null } = data
    const row: Row = [source, target, target_type, key, textIn(data.description) ?? '', confidence]
    const hash = hashOf(source)
    last.set(hash, store.put(last.get(hash) ?? NOWHERE, JSON.stringify(row)))
    if (meta.tlp_color && meta.tlp_color !== 'NONE')
      lose(id, `STIX 1.2 does not support the colour ${meta.tlp_color} of a relationship`)
  }
  return {
    of(id) {
      const links: Link[] = []
      for (let position = last.get(hashOf(id)) ?? NOWHERE; position !== NOWHERE; position = store.before(position)) {
        const row = JSON.parse(store.at(position)) as Row
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
const CHUNK_BYTES = 1024 * 1024
/** Each row starts with the position of the previous row and the length of the text. */
const HEADER_BYTES = 12

/**
 * Stores texts outside the heap, each linked to a previous one. A hundred thousand separate objects would take several times as much
 * memory. A position consists of a chunk number and an offset.
 */
function openTextStore() {
  const chunks: Buffer[] = []
  let used = CHUNK_BYTES
  return {
    put(before: number, text: string): number {
      const size = HEADER_BYTES + Buffer.byteLength(text)
      if (used + size > (chunks.at(-1)?.length ?? 0)) {
        chunks.push(Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, size)))
        used = 0
      }
      const chunk = chunks.at(-1) as Buffer
      const offset = used
      chunk.writeDoubleLE(before, offset)
      chunk.writeUInt32LE(size - HEADER_BYTES, offset + 8)
      chunk.write(text, offset + HEADER_BYTES)
      used += size
      return (chunks.length - 1) * SPAN + offset
    },
    before: (position: number): number => chunkOf(position).readDoubleLE(position % SPAN),
    at: (position: number): string => {
      const start = (position % SPAN) + HEADER_BYTES
      return chunkOf(position).toString('utf8', start, start + chunkOf(position).readUInt32LE(start - 4))
    },
  }

  function chunkOf(position: number): Buffer {
    return chunks[Math.floor(position / SPAN)] as Buffer
  }
}

const SPAN = 2 ** 32

/** A 52-bit hash: FNV-1a, twice. Collisions are possible, so callers compare the texts as well. */
function hashOf(text: string): number {
  let low = 0x811c9dc5
  let high = 0x01000193
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    low = Math.imul(low ^ code, 0x01000193)
    high = Math.imul(high ^ code, 0x01000197)
  }
  return (high >>> 12) * SPAN + (low >>> 0)
}
