/** An entry of an archive before its bytes are read. Entries are read one after the other. */
export interface PackedEntry {
  /** The name in the archive. */
  readonly name: string
  readonly content: AsyncIterable<Uint8Array>
  /** Number of compressed bytes read so far; absent without compression. */
  packed?(): number
  /** The sizes that the archive declares. */
  readonly announced?: { readonly size: number; readonly packed: number }
}

/** Bytes with random access. */
export interface Indexed {
  readonly size: number
  read(start: number, length: number): Promise<Buffer>
}
