import { deflateRawSync, inflateRawSync } from 'node:zlib'

const MIN_BLOCK_BYTES = 64 * 1024

/** A compressed in-memory queue of bytes that wait to be written. */
export interface PackedBytes {
  readonly size: number
  add(bytes: Buffer): void
  read(): AsyncGenerator<Buffer>
}

/** Creates an empty queue. Bytes are returned in the order in which they were added. */
export function packedBytes(): PackedBytes {
  const packed: Buffer[] = []
  let waiting: Buffer[] = []
  let length = 0
  let size = 0
  return {
    get size() {
      return size
    },
    add(bytes) {
      waiting.push(bytes)
      length += bytes.length
      size += bytes.length
      if (length < MIN_BLOCK_BYTES) return
      packed.push(deflateRawSync(Buffer.concat(waiting)))
      waiting = []
      length = 0
    },
    async *read() {
      for (const piece of packed) yield inflateRawSync(piece)
      if (length > 0) yield Buffer.concat(waiting)
    },
  }
}
