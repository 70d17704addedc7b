import { randomBytes } from 'node:crypto'
import { memoryScratch, type ScratchFile } from '../scratch.ts'
import { byteSpool } from './byte-spool.ts'
import { pagedWords } from './paged-numbers.ts'

/** A key is the four words of a UUID and the number of its type. */
const WORDS = 5
const KEY_BYTES = 4 * WORDS
const UUID_LENGTH = 36
const FIRST_SLOT_BITS = 10
/** How many keys are in memory before they go to the file. */
const ROOM = 2048 * KEY_BYTES

/**
 * Numbers ids of STIX 2 in the order in which they come. A map of texts takes 150 bytes for each; this takes 12 in memory, and 20 in a
 * file, which are read where the hash of an id is known.
 */
export interface IdIndex {
  readonly size: number
  /** The number of an id, which is added where it is not there yet. */
  add(id: string): number
  /** The number of an id; -1 where it is not there. */
  indexOf(id: string): number
  idAt(index: number): string
}

/** An empty index. */
export function idIndex(openFile: () => ScratchFile = memoryScratch): IdIndex {
  const types = new Map<string, number>()
  const typeNames: string[] = []
  const others = new Map<string, number>()
  const otherTexts = new Map<number, string>()
  const factors = oddWords()
  const keys = byteSpool(openFile, ROOM)
  const key = new Uint32Array(WORDS)
  const keyBytes = Buffer.from(key.buffer)
  /** The hashes of ids by their numbers. */
  const hashes = pagedWords()
  let slotBits = FIRST_SLOT_BITS
  /** By its hash the number of an id and one; 0 is free. */
  let slots = new Uint32Array(1 << slotBits)
  let size = 0

  /** Reads an id into the key; false where it is one that is kept as text. */
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

  /** The factors are random, so that ids cannot be chosen to collide. */
  const hashOfKey = (): number => {
    let hash = factors[WORDS] as number
    for (let i = 0; i < WORDS; i++) {
      hash = Math.imul(hash ^ (key[i] as number), factors[i] as number)
      hash ^= hash >>> 15
    }
    return Math.imul(hash, factors[0] as number) >>> 0
  }

  const isKeyAt = (index: number): boolean => keys.read(index * KEY_BYTES, KEY_BYTES).equals(keyBytes)

  /** The slot that the key is in, or the free one that it belongs into. */
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

  /** Ids that are kept as text have a number like all others, and an empty key. */
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

/** The values of hexadecimal digits by their codes; -1 for all other characters. */
const DIGITS = Int8Array.from({ length: 128 }, (_, code) => '0123456789abcdef'.indexOf(String.fromCharCode(code)))

/** Reads the UUID of an id in lower case, as nearly all are, as four words; false where it has none. Each id of a document is read so. */
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

/** Unpredictable odd numbers: one for each word of a key, and a start value. */
function oddWords(): Uint32Array {
  const bytes = randomBytes(4 * (WORDS + 1))
  return Uint32Array.from({ length: WORDS + 1 }, (_, i) => bytes.readUInt32LE(4 * i) | 1)
}
