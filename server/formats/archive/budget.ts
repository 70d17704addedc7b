import { DocumentError } from '../document.ts'

/** How much an archive may be made of, with all archives in it. */
export interface ArchiveLimits {
  readonly entries: number
  /** All that is unpacked, and what one entry may have of it. */
  readonly totalBytes: number
  readonly entryBytes: number
  /** How many times larger than packed something may be; small things may be more. */
  readonly ratio: number
  /** How deep archives may lie in archives. */
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

/** Up to here nobody asks how well something is packed: real documents of this size are packed very well at times. */
const SMALL = 16 * MIB

/** What is left of the limits while an archive is unpacked. */
export interface Budget {
  readonly limits: ArchiveLimits
  /** Counts one more entry. */
  enter(name: string): void
  /** Hands on the bytes of an entry for as long as they are within the limits; `packed` tells how many bytes they came from. */
  meter(name: string, content: AsyncIterable<Uint8Array>, packed?: () => number): AsyncGenerator<Uint8Array>
  /** Refuses an entry by what it says of itself. */
  foresee(name: string, size: number, packed: number): void
}

export function openBudget(limits: ArchiveLimits): Budget {
  let entries = 0
  let total = 0
  const refuseSize = (name: string, size: number, packed: number) => {
    if (size > limits.entryBytes) throw tooLarge(name, `more than ${limits.entryBytes} bytes`)
    if (total + size > limits.totalBytes)
      throw tooLarge(name, `more than ${limits.totalBytes} bytes with what was before`)
    if (size > SMALL && size > limits.ratio * packed) {
      throw tooLarge(name, `more than ${limits.ratio} times as large as packed`)
    }
  }
  return {
    limits,
    enter: (name) => {
      if (++entries > limits.entries) {
        throw new DocumentError(`${name}: the archive has more than ${limits.entries} entries`)
      }
    },
    foresee: refuseSize,
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

const tooLarge = (name: string, how: string): DocumentError => new DocumentError(`${name}: is unpacked ${how}`)
