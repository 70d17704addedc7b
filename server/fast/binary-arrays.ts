/**
 * Arrays in PostgreSQL's binary format: nothing is escaped, quoted or parsed. The driver sends a Buffer unmodified, so that
 * each array is one parameter, which the statement casts to the type of the array.
 */

/** How the values of a type are written. */
interface Encoding<T> {
  /** The number of the type in PostgreSQL's catalogue. */
  readonly oid: number
  size(value: T): number
  /** Writes a value and returns where it ends. */
  write(value: T, into: Buffer, at: number): number
}

const TEXT: Encoding<string> = {
  oid: 25,
  size: Buffer.byteLength,
  write: (text, into, at) => at + into.write(text, at, 'utf8'),
}

const bytesOf = (oid: number): Encoding<Buffer> => ({
  oid,
  size: ({ length }) => length,
  write: (bytes, into, at) => at + bytes.copy(into, at),
})

const BYTEA = bytesOf(17)
/** Already in the binary format of the type. */
const TSVECTOR = bytesOf(3614)

/** JSON text, after a byte for the version of the format. */
const JSONB: Encoding<string> = {
  oid: 3802,
  size: (text) => 1 + Buffer.byteLength(text),
  write: (text, into, at) => TEXT.write(text, into, into.writeUInt8(1, at)),
}

const INTEGER: Encoding<number> = {
  oid: 23,
  size: () => 4,
  write: (value, into, at) => into.writeInt32BE(value, at),
}

/** The positions of the pairs of hexadecimal digits in the text of a UUID. */
const PAIRS = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34]
/** The value of each hexadecimal digit, by its character code. */
const DIGITS = Uint8Array.from({ length: 128 }, (_, code) => Number.parseInt(String.fromCharCode(code), 16))

const UUID: Encoding<string> = {
  oid: 2950,
  size: () => 16,
  write: (id, into, at) => {
    if (id.length !== 36) throw new TypeError(`'${id}' is not a UUID.`)
    let next = at
    for (const pair of PAIRS) {
      into[next++] = ((DIGITS[id.charCodeAt(pair)] as number) << 4) | (DIGITS[id.charCodeAt(pair + 1)] as number)
    }
    return next
  },
}

export const textList = (texts: readonly (string | null)[]): Buffer => arrayOf(TEXT, texts)
export const bytesList = (values: readonly (Buffer | null)[]): Buffer => arrayOf(BYTEA, values)
/** An array of documents that were already serialised as JSON. */
export const documentList = (documents: readonly string[]): Buffer => arrayOf(JSONB, documents)
export const vectorList = (vectors: readonly Buffer[]): Buffer => arrayOf(TSVECTOR, vectors)
export const uuidList = (ids: readonly string[]): Buffer => arrayOf(UUID, ids)
export const integerList = (numbers: readonly (number | null)[]): Buffer => arrayOf(INTEGER, numbers)

/** The number of dimensions, whether nulls may occur, the type, the length, the first index; then each value after its size. */
function arrayOf<T>({ oid, size, write }: Encoding<T>, values: readonly (T | null)[]): Buffer {
  const head = values.length === 0 ? [0, 1, oid] : [1, 1, oid, values.length, 1]
  let length = 4 * head.length
  for (const value of values) length += value === null ? 4 : 4 + size(value)
  const bytes = Buffer.allocUnsafe(length)
  let at = 0
  for (const word of head) at = bytes.writeInt32BE(word, at)
  for (const value of values) {
    const start = at
    at = value === null ? at + 4 : write(value, bytes, at + 4)
    bytes.writeInt32BE(value === null ? -1 : at - start - 4, start)
  }
  return bytes
}
