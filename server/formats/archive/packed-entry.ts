/** One entry of an archive, before its bytes are taken in. Entries are read one after the other. */
export interface PackedEntry {
  /** As the archive has it. */
  readonly name: string
  readonly content: AsyncIterable<Uint8Array>
  /** How many bytes of the archive its bytes came from so far; absent where nothing is compressed. */
  packed?(): number
  /** How many bytes the archive says that it has. */
  readonly announced?: { readonly size: number; readonly packed: number }
}

/** Bytes with access to any place in them. */
export interface Indexed {
  readonly size: number
  read(start: number, length: number): Promise<Buffer>
}
