/** A file that lives as long as a document is read: bytes are added at its end, and read back without waiting. */
export interface ScratchFile extends Disposable {
  append(bytes: Uint8Array): void
  /** Some of the bytes that were added at once; fewer where these end before. */
  read(start: number, length: number): Buffer
}

/** The same in memory, where there is no disk to write to. */
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
