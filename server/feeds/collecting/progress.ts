import { createHash } from 'node:crypto'
import type { Item } from '../../engine/resource.ts'

/** Something that a feed lists; `key` differs between any two, and between any two versions of one. */
export interface Listed {
  readonly key: string
}

/** How far a feed is with what it lists. */
export interface Progress<T extends Listed> {
  /** What is left to be fetched, in order. */
  readonly left: readonly T[]
  /** Says what became of the next one, and gives the place to go on from. */
  note(isTaken: boolean): Item
  /** The place once the list is through: what was not taken is left for the next time. */
  end(): Item
}

const HASH = 8

/**
 * Finds what is new in a list, by what the cursor of the last run holds. That is 48 bits for each thing that was on the list and taken,
 * written when a list is through: 800 kB for 100,000. On the way there it is a count and a checksum of what was passed: the
 * cursor is written with every piece, and must not grow with them. Where the list has changed under those, they are fetched
 * again, which stores nothing twice.
 */
export function progressOf<T extends Listed>(cursor: Item | null | undefined, listed: readonly T[]): Progress<T> {
  const known = typeof cursor?.known === 'string' ? cursor.known : ''
  const hashes = new Map(listed.map((one) => [one, hashOf(one.key)]))
  const isKnown = setOf(known)
  const fresh = listed.filter((one) => !isKnown.has(hashes.get(one) ?? ''))
  const passed = passedIn(cursor, fresh)
  const left = fresh.slice(passed)
  const missed = new Set<T>()
  let at = 0
  let safe = passed
  let checksum = checksumOf(fresh.slice(0, passed))
  return {
    left,
    note: (isTaken) => {
      const one = left[at++]
      if (one && !isTaken) missed.add(one)
      // Behind one that was missed, nothing counts as passed: whoever goes on from here would leave it out for good.
      if (one && missed.size === 0) {
        checksum = nextChecksum(checksum, one)
        safe++
      }
      return { known, passed: safe, checksum }
    },
    end: () => {
      const open = new Set(left.slice(at))
      const taken = listed.filter((one) => !missed.has(one) && !open.has(one))
      return { known: taken.map((one) => hashes.get(one)).join(''), passed: 0, checksum: '' }
    },
  }
}

function setOf(known: string): ReadonlySet<string> {
  const set = new Set<string>()
  for (let at = 0; at < known.length; at += HASH) set.add(known.slice(at, at + HASH))
  return set
}

function passedIn(cursor: Item | null | undefined, fresh: readonly Listed[]): number {
  const { passed, checksum } = cursor ?? {}
  if (typeof passed !== 'number' || passed < 1 || passed > fresh.length) return 0
  return checksumOf(fresh.slice(0, passed)) === checksum ? passed : 0
}

const checksumOf = (list: readonly Listed[]): string => list.reduce(nextChecksum, '')

const nextChecksum = (checksum: string, { key }: Listed): string =>
  createHash('sha256').update(`${checksum} ${key}`).digest('base64url').slice(0, 22)

const hashOf = (key: string): string => createHash('sha256').update(key).digest('base64url').slice(0, HASH)
