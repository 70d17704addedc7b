import type { ScratchFile } from '../scratch.ts'

/** An append-only byte store that keeps the most recent bytes in memory and writes the rest to a file. */
export interface ByteSpool extends Disposable {
  /** The offset at which the next bytes will be written. */
  readonly size: number
  append(bytes: Uint8Array): void
  /** Reads part of one appended chunk. Returns fewer bytes if the chunk ends earlier. */
  read(start: number, length: number): Buffer
}

/** Creates an empty spool with an in-memory buffer of `bufferSize` bytes. The file is opened when the buffer first overflows. */
export function byteSpool(openFile: () => ScratchFile, bufferSize: number): ByteSpool {
  let buffer: Buffer | undefined
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
      buffer ??= Buffer.allocUnsafeSlow(bufferSize)
      if (used + bytes.length > bufferSize && used > 0) {
        write(buffer.subarray(0, used))
        used = 0
      }
      if (bytes.length > bufferSize) {
        write(bytes)
        return
      }
      buffer.set(bytes, used)
      used += bytes.length
    },
    read(start, length) {
      if (start < written) return file?.read(start, Math.min(length, written - start)) ?? Buffer.alloc(0)
      const at = start - written
      return buffer?.subarray(at, Math.min(at + length, used)) ?? Buffer.alloc(0)
    },
    [Symbol.dispose]() {
      file?.[Symbol.dispose]()
      file = undefined
      buffer = undefined
    },
  }
}
