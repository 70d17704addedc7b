/** Why a database in the MaxMind format cannot be read. */
export class MmdbError extends Error {
  override name = 'MmdbError'
}

const MAX_DEPTH = 16
/** A damaged or hostile file may refer to the same values over and over: what one record takes is bounded. */
const MAX_VALUES = 5000

const POINTER = 1
/** The numbers of the types of values in the data section. */
const TYPES = {
  text: 2,
  double: 3,
  bytes: 4,
  uint16: 5,
  uint32: 6,
  map: 7,
  int32: 8,
  uint64: 9,
  uint128: 10,
  array: 11,
  boolean: 14,
  float: 15,
} as const

interface Reading {
  readonly bytes: Buffer
  /** Where the data section begins: pointers count from there. */
  readonly base: number
  at: number
  values: number
}

/** Decodes the value at a position of a data section. Throws an MmdbError for anything that is not well-formed. */
export function decodeAt(bytes: Buffer, base: number, at: number): unknown {
  try {
    return decode({ bytes, base, at, values: 0 }, 0)
  } catch (error) {
    if (error instanceof RangeError) throw new MmdbError('a value reaches beyond the end of the file')
    throw error
  }
}

function decode(reading: Reading, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new MmdbError(`a record is nested more than ${MAX_DEPTH} levels deep`)
  if (++reading.values > MAX_VALUES) throw new MmdbError(`a record has more than ${MAX_VALUES} values`)
  const control = next(reading, 1)
  const type = control >> 5 || next(reading, 1) + 7
  if (type === POINTER) return follow(reading, control, depth)
  const size = sizeOf(reading, control & 31)
  if (type === TYPES.map) return mapOf(reading, size, depth)
  if (type === TYPES.array) return arrayOf(reading, size, depth)
  if (type === TYPES.boolean) return size !== 0
  const content = take(reading, size)
  return scalarOf(type, content)
}

function follow(reading: Reading, control: number, depth: number): unknown {
  // The control byte has two bits for the length of the pointer, and its three highest bits.
  const [size, high] = [Math.floor((control % 32) / 8), control % 8]
  const low = next(reading, size + 1)
  const target = size === 3 ? low : high * 2 ** (8 * (size + 1)) + low + ([0, 2048, 526_336][size] ?? 0)
  const after = reading.at
  reading.at = reading.base + target
  if (reading.bytes.readUInt8(reading.at) >> 5 === POINTER) throw new MmdbError('a pointer leads to a pointer')
  const value = decode(reading, depth + 1)
  reading.at = after
  return value
}

function mapOf(reading: Reading, size: number, depth: number): Record<string, unknown> {
  const entries: [string, unknown][] = []
  for (let i = 0; i < size; i++) {
    const key = decode(reading, depth + 1)
    if (typeof key !== 'string') throw new MmdbError('a key is not a text')
    entries.push([key, decode(reading, depth + 1)])
  }
  return Object.fromEntries(entries)
}

function arrayOf(reading: Reading, size: number, depth: number): unknown[] {
  const items: unknown[] = []
  for (let i = 0; i < size; i++) items.push(decode(reading, depth + 1))
  return items
}

function scalarOf(type: number, content: Buffer): unknown {
  if (type === TYPES.text) return content.toString('utf8')
  if (type === TYPES.double) return finite(content.readDoubleBE())
  if (type === TYPES.float) return finite(content.readFloatBE())
  if (type === TYPES.bytes) return content.toString('base64')
  if (type === TYPES.uint16 || type === TYPES.uint32) return unsigned(content, 4)
  if (type === TYPES.int32) return unsigned(content, 4) | 0
  // Larger than a number holds exactly.
  if (type === TYPES.uint64 || type === TYPES.uint128) return BigInt(`0x0${content.toString('hex')}`).toString()
  throw new MmdbError(`there is no type ${type} of values`)
}

function unsigned(content: Buffer, most: number): number {
  if (content.length > most) throw new MmdbError('a number has too many bytes')
  return content.length === 0 ? 0 : content.readUIntBE(0, content.length)
}

function finite(number: number): number {
  if (!Number.isFinite(number)) throw new MmdbError('a number is not finite')
  return number
}

function sizeOf(reading: Reading, size: number): number {
  if (size < 29) return size
  if (size === 29) return 29 + next(reading, 1)
  if (size === 30) return 285 + next(reading, 2)
  return 65_821 + next(reading, 3)
}

function next(reading: Reading, length: number): number {
  const value = reading.bytes.readUIntBE(reading.at, length)
  reading.at += length
  return value
}

function take(reading: Reading, length: number): Buffer {
  const end = reading.at + length
  if (end > reading.bytes.length) throw new RangeError('beyond the end')
  const content = reading.bytes.subarray(reading.at, end)
  reading.at = end
  return content
}
