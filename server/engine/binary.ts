/**
 * Long lists as PostgreSQL takes them in binary: nothing is escaped, quoted or parsed. The driver sends a Buffer as it is,
 * so each of these stands for one parameter, to be cast to the list's type.
 */

import { PAIRS } from './ids.ts'
import { lendRoom, Room, takeBack } from './room.ts'

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
export const documentList = (documents: readonly (string | Buffer)[]): Buffer =>
  list(OIDS.jsonb, documents.length, (i, write) => write.text(documents[i] ?? 'null', 1))

/** A list of values that are in PostgreSQL's own binary form. */
export const vectorList = (vectors: readonly Buffer[]): Buffer =>
  list(OIDS.tsvector, vectors.length, (i, write) => write.bytes(vectors[i] ?? Buffer.alloc(4)))

export const uuidList = (ids: readonly string[]): Buffer =>
  list(OIDS.uuid, ids.length, (i, write) => write.uuid(ids[i] ?? ''))

export const integerList = (numbers: readonly number[]): Buffer =>
  list(OIDS.integer, numbers.length, (i, write) => write.integer(numbers[i] ?? 0))

interface Writer {
  absent(): void
  /** `version` is the byte that begins some types. */
  text(value: string | Buffer, version?: number): void
  bytes(value: Buffer): void
  uuid(id: string): void
  integer(value: number): void
}

// What each digit is worth, by its code.
const DIGITS = Uint8Array.from({ length: 128 }, (_, code) => Number.parseInt(String.fromCharCode(code), 16))

const shared = new Room()
let room = shared

const writer: Writer = {
  absent() {
    room.reserve(4)
    room.at = room.bytes.writeInt32BE(-1, room.at)
  },
  text(value, version) {
    const start = room.at
    const head = version === undefined ? 4 : 5
    room.reserve(head)
    if (version !== undefined) room.bytes[start + 4] = version
    room.at += head
    const written = room.add(value)
    room.bytes.writeInt32BE(written + head - 4, start)
  },
  bytes(value) {
    room.reserve(4)
    room.at = room.bytes.writeInt32BE(value.length, room.at)
    room.add(value)
  },
  uuid(id) {
    if (id.length !== 36) throw new TypeError(`'${id}' is no UUID.`)
    room.reserve(20)
    const { bytes } = room
    let at = bytes.writeInt32BE(16, room.at)
    for (const place of PAIRS) {
      bytes[at++] = ((DIGITS[id.charCodeAt(place)] as number) << 4) | (DIGITS[id.charCodeAt(place + 1)] as number)
    }
    room.at = at
  },
  integer(value) {
    room.reserve(8)
    room.bytes.writeInt32BE(4, room.at)
    room.at = room.bytes.writeInt32BE(value, room.at + 4)
  },
}

function list(oid: number, length: number, write: (i: number, writer: Writer) => void): Buffer {
  // One that could not be written to its end may have left something.
  if (room === shared) room.at = 0
  const start = room.at
  for (const word of length === 0 ? [0, 1, oid] : [1, 1, oid, length, 1]) {
    room.reserve(4)
    room.at = room.bytes.writeInt32BE(word, room.at)
  }
  for (let i = 0; i < length; i++) write(i, writer)
  return room === shared ? room.take() : room.bytes.subarray(start, room.at)
}

/** The lists of fewer rows are small. */
const MANY = 100

/** Runs a statement whose lists stand in memory that is lent to it where it has many rows. */
export async function lending<S, R>(rows: number, make: () => S, run: (statement: S) => Promise<R>): Promise<R> {
  if (rows < MANY) return run(make())
  const lent = lendRoom()
  room = lent
  let statement: S
  try {
    statement = make()
  } finally {
    room = shared
  }
  // Of a statement that fails, something may still be on its way: its memory is not used again.
  const result = await run(statement)
  takeBack(lent)
  return result
}
