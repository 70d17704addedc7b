import { lendRoom, Room, takeBack } from './room.ts'

let room = new Room()
const COMMA = 0x2c

/** Where as much was printed, and fills a part of its room that is worth keeping, a copy would cost more than other room. */
const LONG = 1 << 18
const FILLED = 1 / 4

/** A document that is printed already: it goes into answers as it is, and only who looks into it has to read it. */
export class StoredJson {
  readonly text: string | Buffer

  constructor(text: string | Buffer) {
    this.text = text
  }

  toJSON(): unknown {
    return JSON.parse(this.text.toString())
  }
}

/** The body of an answer. */
export interface Printed {
  readonly text: string | Buffer
  /** To be called once it was sent: the memory that it stands in is used again. */
  readonly release?: () => void
}

/**
 * Prints the body of an answer. Objects are put together from what is printed already, as bytes: a text of all of them
 * would be a copy more.
 */
export function print(body: unknown): Printed {
  const data = isRecord(body) ? body.data : undefined
  const isList = Array.isArray(data)
  const items: unknown[] = isList ? data : [data]
  if (!isRecord(body) || !hasPrinted(items[0])) return { text: JSON.stringify(body) }
  const rest = JSON.stringify({ ...body, data: undefined }).slice(1)
  room.at = 0
  room.text(isList ? '{"data":[' : '{"data":')
  for (let i = 0; i < items.length; i++) printItem(items[i] as Record<string, unknown>, i === 0 ? '{' : ',{')
  room.text(`${isList ? ']' : ''}${rest === '}' ? '' : ','}${rest}`)
  if (room.at < LONG || room.at < FILLED * room.bytes.length) return { text: room.take() }
  const full = room
  room = lendRoom()
  return { text: full.bytes.subarray(0, full.at), release: () => takeBack(full) }
}

/** Adds an object. */
function printItem(item: Record<string, unknown>, opening: string): void {
  const printed: [key: string, value: unknown][] = []
  let start = opening
  for (const key of Object.keys(item)) {
    const value = item[key]
    if (!(value instanceof StoredJson)) continue
    room.text(`${start}${JSON.stringify(key)}:`)
    room.add(value.text)
    start = ','
    printed.push([key, value])
    item[key] = undefined
  }
  // All that is left in one go, and without a copy: either would cost more than the values.
  const rest = JSON.stringify(item)
  for (const [key, value] of printed) item[key] = value
  if (printed.length === 0) room.text(start.slice(0, -1) + rest)
  else if (rest === '{}') room.text('}')
  else {
    const { at } = room
    room.text(rest)
    // In place of its brace: a text without it would be a copy.
    room.bytes[at] = COMMA
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const hasPrinted = (item: unknown): boolean =>
  isRecord(item) && Object.values(item).some((value) => value instanceof StoredJson)
