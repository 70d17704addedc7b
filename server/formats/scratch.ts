/** A temporary file that exists while a document is read. Bytes are appended and read back synchronously. */
export interface ScratchFile extends Disposable {
  append(bytes: Uint8Array): void
  /** Reads part of one appended chunk; fewer bytes if it ends earlier. */
  read(start: number, length: number): Buffer
}

/** An implementation in memory, for when there is no disk. */
export function memoryScratch(): ScratchFile {
  const pieces: Buffer[] = []
  const starts: number[] = []
  let size = 0
  return {
    append(bytes) {
      starts.push(size)
      pieces.push(Buffer.from(bytes))
      size += bytes.length
    },
    read(start, length) {
      let [from, to] = [0, starts.length]
      while (to - from > 1) {
        const middle = (from + to) >>> 1
        if ((starts[middle] as number) <= start) from = middle
        else to = middle
      }
      const at = start - (starts[from] ?? 0)
      return pieces[from]?.subarray(at, at + length) ?? Buffer.alloc(0)
    },
    [Symbol.dispose]() {
      pieces.length = 0
      starts.length = 0
    },
  }
}
