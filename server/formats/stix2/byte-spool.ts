import type { ScratchFile } from '../scratch.ts'

/** Bytes that are put aside: the last of them are in memory, all others in a file. */
export interface ByteSpool extends Disposable {
  /** Where what is added next begins. */
  readonly size: number
  append(bytes: Uint8Array): void
  /** Some of the bytes that were added at once; possibly fewer, where these end before. */
  read(start: number, length: number): Buffer
}

/** An empty spool with room for some bytes in memory. The file is opened once these do not suffice. */
export function byteSpool(openFile: () => ScratchFile, roomSize: number): ByteSpool {
  let room: Buffer | undefined
  let file: ScratchFile | undefined
  let written = 0
  let used = 0

  const write = (bytes: Uint8Array): void => {
    file ??= openFile()
    file.append(bytes)
    written += bytes.length
  }

  return {
    get size() {
      return written + used
    },
    append(bytes) {
      room ??= Buffer.allocUnsafeSlow(roomSize)
      if (used + bytes.length > roomSize && used > 0) {
        write(room.subarray(0, used))
        used = 0
      }
      if (bytes.length > roomSize) {
        write(bytes)
        return
      }
      room.set(bytes, used)
      used += bytes.length
    },
    read(start, length) {
      if (start < written) return file?.read(start, Math.min(length, written - start)) ?? Buffer.alloc(0)
      const at = start - written
      return room?.subarray(at, Math.min(at + length, used)) ?? Buffer.alloc(0)
    },
    [Symbol.dispose]() {
      file?.[Symbol.dispose]()
      file = undefined
      room = undefined
    },
  }
}
