import { randomBytes } from 'node:crypto'
import { memoryScratch, type ScratchFile } from '../scratch.ts'
import { byteSpool } from './byte-spool.ts'
import { pagedWords } from './paged-numbers.ts'

/** A key consists of the four words of a UUID and a number for its type. */
const WORDS = 5
const KEY_BYTES = 4 * WORDS
const UUID_LENGTH = 36
const FIRST_SLOT_BITS = 10
/** Size of the in-memory buffer for keys that are not yet written to the file. */
const BUFFER_SIZE = 2048 * KEY_BYTES

/**
 * Numbers STIX 2 ids in the order of insertion. A Map of strings takes 150 bytes per id; this takes 12 bytes in memory and 20 in a file,
 * which is read only if the hash of an id is known.
 */
export interface IdIndex {
  readonly size: number
  /** Returns the number of an id, adding the id if it is new. */
  add(id: string): number
  /** Returns the number of an id, or -1 if it is unknown. */
  indexOf(id: string): number
  idAt(index: number): string
}

/** Creates an empty index. */
export function idIndex(openFile: () => ScratchFile = memoryScratch): IdIndex {
  const types = new Map<string, number>()
  const typeNames: string[] = []
  const others = new Map<string, number>()
  const otherTexts = new Map<number, string>()
  const factors = oddWords()
  const keys = byteSpool(openFile, BUFFER_SIZE)
  const key = new Uint32Array(WORDS)
  const keyBytes = Buffer.from(key.buffer)
  /** The hashes of the ids, by number. */
  const hashes = pagedWords()
  let slotBits = FIRST_SLOT_BITS
  /** Hash table of id numbers plus one; 0 marks a free slot. */
  let slots = new Uint32Array(1 << slotBits)
  let size = 0

  /** Parses an id into the key; false if the id is not canonical and must be stored as text. */
  const readKey = (id: string): boolean => {
    if (!readUuid(id, key)) return false
    const type = id.slice(0, -UUID_LENGTH)
    const number = types.get(type) ?? types.size
    if (number === types.size) {
      types.set(type, number)
      typeNames.push(type)
    }
    key[4] = number
    return true
  }

  /** The factors are random, so that an attacker cannot choose ids that collide. */
  const hashOfKey = (): number => {
    let hash = factors[WORDS] as number
    for (let i = 0; i < WORDS; i++) {
      hash = Math.imul(hash ^ (key[i] as number), factors[i] as number)
      hash ^= hash >>> 15
    }
    return Math.imul(hash, factors[0] as number) >>> 0
  }

  const isKeyAt = (index: number): boolean => keys.read(index * KEY_BYTES, KEY_BYTES).equals(keyBytes)

  /** Returns the slot that holds the key, or the free slot where it belongs. */
  const find = (hash: number): number => {
    let slot = hash >>> (32 - slotBits)
    for (; ; slot = (slot + 1) & (slots.length - 1)) {
      const index = (slots[slot] as number) - 1
      if (index < 0 || (hashes.get(index) === hash && isKeyAt(index))) return slot
    }
  }

  const grow = (): void => {
    const old = slots
    slotBits++
    slots = new Uint32Array(1 << slotBits)
    for (const entry of old) {
      if (entry === 0) continue
      let slot = hashes.get(entry - 1) >>> (32 - slotBits)
      while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1)
      slots[slot] = entry
    }
  }

  /** Ids that are stored as text have a number like all others, and an empty key. */
  const addText = (id: string): number => {
    const known = others.get(id)
    if (known !== undefined) return known
    others.set(id, size)
    otherTexts.set(size, id)
    keys.append(Buffer.alloc(KEY_BYTES))
    return size++
  }

  return {
    get size() {
      return size
    },
    indexOf(id) {
      if (!readKey(id)) return others.get(id) ?? -1
      return (slots[find(hashOfKey())] as number) - 1
    },
    add(id) {
      if (!readKey(id)) return addText(id)
      const hash = hashOfKey()
      const slot = find(hash)
      const entry = slots[slot] as number
      if (entry !== 0) return entry - 1
      keys.append(keyBytes)
      hashes.set(size, hash)
      slots[slot] = ++size
      if (size * 4 > slots.length * 3) grow()
      return size - 1
    },
    idAt(index) {
      const text = otherTexts.get(index)
      if (text !== undefined) return text
      const record = Buffer.from(keys.read(index * KEY_BYTES, KEY_BYTES))
      const type = typeNames[record.readUInt32LE(KEY_BYTES - 4)] ?? ''
      const hex = record.swap32().toString('hex', 0, KEY_BYTES - 4)
      return `${type}${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
    },
  }
}

const HYPHEN = 0x2d

/** The values of hexadecimal digits by character code; -1 for all other characters. */
const DIGITS = Int8Array.from({ length: 128 }, (_, code) => '0123456789abcdef'.indexOf(String.fromCharCode(code)))

/** Parses a lower-case UUID, which nearly all ids have, into four words; false if there is none. This runs for every id of a document. */
function readUuid(id: string, words: Uint32Array): boolean {
  const start = id.length - UUID_LENGTH
  if (start < 2 || id.charCodeAt(start - 1) !== HYPHEN || id.charCodeAt(start - 2) !== HYPHEN) return false
  let count = 0
  let word = 0
  for (let i = 0; i < UUID_LENGTH; i++) {
    const code = id.charCodeAt(start + i)
    if (i === 8 || i === 13 || i === 18 || i === 23) {
      if (code !== HYPHEN) return false
      continue
    }
    const digit = code < 128 ? (DIGITS[code] as number) : -1
    if (digit < 0) return false
    word = (word << 4) | digit
    if (++count % 8 === 0) words[count / 8 - 1] = word
  }
  return true
}

/** Unpredictable odd numbers: one per word of a key, and an initial value. */
function oddWords(): Uint32Array {
  const bytes = randomBytes(4 * (WORDS + 1))
  return Uint32Array.from({ length: WORDS + 1 }, (_, i) => bytes.readUInt32LE(4 * i) | 1)
}
