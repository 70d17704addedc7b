import { DocumentError } from '../document.ts'

/** Limits for an archive including all nested archives. */
export interface ArchiveLimits {
  readonly entries: number
  /** Maximum unpacked bytes in total, and per entry. */
  readonly totalBytes: number
  readonly entryBytes: number
  /** Maximum compression ratio. Small files may exceed it. */
  readonly ratio: number
  /** Maximum nesting depth of archives. */
  readonly depth: number
}

const MIB = 1024 * 1024

export const ARCHIVE_LIMITS: ArchiveLimits = {
  entries: 10_000,
  totalBytes: 4096 * MIB,
  entryBytes: 1024 * MIB,
  ratio: 100,
  depth: 4,
}

/** The ratio is not checked up to this size, because real documents of this size can be highly compressible. */
const RATIO_FREE_BYTES = 16 * MIB

/** What remains of the limits while an archive is unpacked. */
export interface Budget {
  readonly limits: ArchiveLimits
  /** Counts one more entry. */
  enter(name: string): void
  /** Passes on the bytes of an entry while they are within the limits. `packed` returns the number of compressed bytes read. */
  meter(name: string, content: AsyncIterable<Uint8Array>, packed?: () => number): AsyncGenerator<Uint8Array>
  /** Rejects an entry by the sizes that the archive declares. */
  checkDeclared(name: string, size: number, packed: number): void
}

export function openBudget(limits: ArchiveLimits): Budget {
  let entries = 0
  let total = 0
  const refuseSize = (name: string, size: number, packed: number) => {
    if (size > limits.entryBytes) throw tooLarge(name, `more than ${limits.entryBytes} bytes`)
    if (total + size > limits.totalBytes)
      throw tooLarge(name, `more than ${limits.totalBytes} bytes including previous entries`)
    if (size > RATIO_FREE_BYTES && size > limits.ratio * packed) {
      throw tooLarge(name, `more than ${limits.ratio} times its packed size`)
    }
  }
  return {
    limits,
    enter: (name) => {
      if (++entries > limits.entries) {
        throw new DocumentError(`${name}: the archive has more than ${limits.entries} entries`)
      }
    },
    checkDeclared: refuseSize,
    meter: async function* (name, content, packed = () => Number.POSITIVE_INFINITY) {
      let size = 0
      for await (const bytes of content) {
        size += bytes.length
        refuseSize(name, size, packed())
        yield bytes
      }
      total += size
    },
  }
}

const tooLarge = (name: string, how: string): DocumentError => new DocumentError(`${name}: unpacks to ${how}`)
