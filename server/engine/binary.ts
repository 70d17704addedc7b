/**
 * Long lists as PostgreSQL takes them in binary: nothing is escaped, quoted or parsed. The driver sends a Buffer as it is,
 * so each of these stands for one parameter, to be cast to the list's type.
 */

const OIDS = { bytea: 17, integer: 23, text: 25, uuid: 2950, jsonb: 3802, tsvector: 3614 } as const

/** A list of texts; null stays null. */
export const textList = (texts: readonly (string | null)[]): Buffer =>
  list(OIDS.text, texts.length, (i, write) => {
    const text = texts[i] ?? null
    if (text === null) write.absent()
    else write.text(text)
  })

/** A list of bytes; null stays null. */
export const bytesList = (values: readonly (Buffer | null)[]): Buffer =>
  list(OIDS.bytea, values.length, (i, write) => {
    const bytes = values[i] ?? null
    if (bytes === null) write.absent()
    else write.bytes(bytes)
  })

/** A list of documents, already printed as JSON. */
export const documentList = (documents: readonly string[]): Buffer =>
  list(OIDS.jsonb, documents.length, (i, write) => write.text(documents[i] ?? 'null', 1))

/** A list of values that are in PostgreSQL's own binary form. */
export const vectorList = (vectors: readonly Buffer[]): Buffer =>
  list(OIDS.tsvector, vectors.length, (i, write) => write.bytes(vectors[i] ?? Buffer.alloc(4)))

export const uuidList = (ids: readonly string[]): Buffer =>
  list(OIDS.uuid, ids.length, (i, write) => write.hexadecimal((ids[i] ?? '').replaceAll('-', '')))

export const integerList = (numbers: readonly number[]): Buffer =>
  list(OIDS.integer, numbers.length, (i, write) => write.integer(numbers[i] ?? 0))

interface Writer {
  absent(): void
  /** `version` is the byte that begins some types. */
  text(value: string, version?: number): void
  bytes(value: Buffer): void
  hexadecimal(digits: string): void
  integer(value: number): void
}

// One at a time is being written, and what is done with it is copied out.
let buffer = Buffer.allocUnsafe(1 << 20)
let at = 0

function reserve(bytes: number): void {
  if (at + bytes <= buffer.length) return
  const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, at + bytes))
  buffer.copy(larger, 0, 0, at)
  buffer = larger
}

const writer: Writer = {
  absent() {
    reserve(4)
    at = buffer.writeInt32BE(-1, at)
  },
  text(value, version) {
    const head = version === undefined ? 4 : 5
    reserve(head + value.length * 3)
    if (version !== undefined) buffer[at + 4] = version
    const written = buffer.write(value, at + head, 'utf8')
    buffer.writeInt32BE(written + head - 4, at)
    at += head + written
  },
  bytes(value) {
    reserve(4 + value.length)
    at = buffer.writeInt32BE(value.length, at)
    value.copy(buffer, at)
    at += value.length
  },
  hexadecimal(digits) {
    reserve(4 + digits.length / 2)
    at = buffer.writeInt32BE(digits.length / 2, at)
    at += buffer.write(digits, at, 'hex')
  },
  integer(value) {
    reserve(8)
    at = buffer.writeInt32BE(4, at)
    at = buffer.writeInt32BE(value, at)
  },
}

const LARGEST_KEPT = 1 << 24

function list(oid: number, length: number, write: (i: number, writer: Writer) => void): Buffer {
  at = 0
  reserve(20)
  at = buffer.writeInt32BE(length === 0 ? 0 : 1, at)
  at = buffer.writeInt32BE(1, at)
  at = buffer.writeInt32BE(oid, at)
  if (length > 0) {
    at = buffer.writeInt32BE(length, at)
    at = buffer.writeInt32BE(1, at)
  }
  for (let i = 0; i < length; i++) write(i, writer)
  const made = Buffer.from(buffer.subarray(0, at))
  if (buffer.length > LARGEST_KEPT) buffer = Buffer.allocUnsafe(1 << 20)
  return made
}
