import { deflateRawSync, inflateRawSync } from 'node:zlib'

const ENOUGH = 64 * 1024

/** Bytes that wait in memory until they can be written, in little room. */
export interface PackedBytes {
  readonly size: number
  add(bytes: Buffer): void
  read(): AsyncGenerator<Buffer>
}

/** Nothing yet; what is added comes out in its order. */
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
      if (length < ENOUGH) return
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
