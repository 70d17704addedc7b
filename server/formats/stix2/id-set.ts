import { randomBytes } from 'node:crypto'

const WORDS = 4
const UUID_LENGTH = 36
const FIRST_SLOTS = 1 << 12

/** Ids in lower case, as nearly all are, fit into the table; all else is kept as text. */
const COMPACT = /--[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** A set of ids of STIX 2 that takes some thirty bytes for each: a set of texts takes five times as much. */
export interface IdSet {
  /** Adds an id; whether it was not there already. */
  add(id: string): boolean
  has(id: string): boolean
}

/** An empty set of ids. */
export function idSet(): IdSet {
  // Each type has its own, so that ids which differ in their types only are different; nobody can choose ids that are the same.
  const masks = new Map<string, Uint32Array>()
  const others = new Set<string>()
  const factors = randomWords()
  const key = new Uint32Array(WORDS)
  let slots = FIRST_SLOTS
  let table = new Uint32Array(slots * WORDS)
  let count = 0

  const readKey = (id: string): Uint32Array => {
    const type = id.slice(0, -UUID_LENGTH)
    const mask = masks.get(type) ?? randomWords()
    if (!masks.has(type)) masks.set(type, mask)
    const digits = id.slice(-UUID_LENGTH).replaceAll('-', '')
    for (let i = 0; i < WORDS; i++) key[i] = Number.parseInt(digits.slice(8 * i, 8 * i + 8), 16) ^ (mask[i] as number)
    return key
  }

  /** Where the words stand in the table, or, as -1 and below, the free place where they belong: all its words are 0. */
  const placeOf = (words: Uint32Array): number => {
    let hash = 0
    for (let i = 0; i < WORDS; i++) hash = Math.imul(hash ^ (words[i] as number), factors[i] as number) ^ (hash >>> 15)
    for (let slot = (hash >>> 0) % slots; ; slot = (slot + 1) % slots) {
      const at = slot * WORDS
      if (isAt(table, at, words)) return at
      if (isFree(table, at)) return -1 - at
    }
  }

  const grow = (): void => {
    const old = table
    slots *= 2
    table = new Uint32Array(slots * WORDS)
    for (let at = 0; at < old.length; at += WORDS)
      if (!isFree(old, at)) table.set(old.subarray(at, at + WORDS), -1 - placeOf(old.subarray(at, at + WORDS)))
  }

  return {
    has: (id) => (COMPACT.test(id) ? placeOf(readKey(id)) >= 0 : others.has(id)),
    add(id) {
      if (!COMPACT.test(id)) return !others.has(id) && others.add(id).size > 0
      const place = placeOf(readKey(id))
      if (place >= 0) return false
      table.set(key, -1 - place)
      count++
      if (count * 4 > slots * 3) grow()
      return true
    },
  }
}

/** Odd numbers that nobody can tell beforehand. */
function randomWords(): Uint32Array {
  const bytes = randomBytes(4 * WORDS)
  return Uint32Array.from({ length: WORDS }, (_, i) => bytes.readUInt32LE(4 * i) | 1)
}

const isAt = (table: Uint32Array, at: number, words: Uint32Array): boolean =>
  table[at] === words[0] && table[at + 1] === words[1] && table[at + 2] === words[2] && table[at + 3] === words[3]

const isFree = (table: Uint32Array, at: number): boolean =>
  table[at] === 0 && table[at + 1] === 0 && table[at + 2] === 0 && table[at + 3] === 0
