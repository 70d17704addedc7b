import { Room } from './room.ts'

const room = new Room()

/** Under this an object may carry itself as JSON, where it had to be printed already; nothing else sees it. */
const PRINTED = Symbol('printed')

interface Printed {
  readonly [PRINTED]?: string
}

/** A document in the words of the database: it goes into answers as it is, and only who looks into it has to read it. */
export class StoredJson {
  readonly [PRINTED]: string

  constructor(text: string) {
    this[PRINTED] = text
  }

  toJSON(): unknown {
    return JSON.parse(this[PRINTED])
  }
}

/** Prints an object as JSON and remembers it: a body that shows it need not print it again. */
export function printOnce(value: object): string {
  const known = (value as Printed)[PRINTED]
  if (known !== undefined) return known
  const text = JSON.stringify(value)
  // Not enumerable: copies and comparisons do not see it.
  Object.defineProperty(value, PRINTED, { value: text })
  return text
}

/**
 * Prints the body of an answer. The objects of a long list are put together from what is printed already, as bytes: a text
 * of all of them would be a copy more.
 */
export function print(body: unknown): string | Buffer {
  const data = isRecord(body) ? body.data : undefined
  if (!isRecord(body) || !Array.isArray(data) || !hasPrinted(data[0])) return JSON.stringify(body)
  const rest = JSON.stringify({ ...body, data: undefined }).slice(1)
  room.at = 0
  room.text('{"data":[')
  for (const [i, item] of data.entries()) printItem(item, i === 0 ? '{' : ',{')
  room.text(`]${rest === '}' ? '' : ','}${rest}`)
  return room.take()
}

/** Adds an object of a list. */
function printItem(item: Record<string, unknown>, opening: string): void {
  const printed: [key: string, value: unknown][] = []
  let start = opening
  for (const key of Object.keys(item)) {
    const value = item[key]
    const text = isRecord(value) ? (value as Printed)[PRINTED] : undefined
    if (text === undefined) continue
    room.text(`${start}${JSON.stringify(key)}:`)
    room.text(text)
    start = ','
    printed.push([key, value])
    item[key] = undefined
  }
  // All that is left in one go, and without a copy: either would cost more than the values.
  const rest = JSON.stringify(item)
  for (const [key, value] of printed) item[key] = value
  if (printed.length === 0) room.text(start.slice(0, -1) + rest)
  else room.text(rest === '{}' ? '}' : start + rest.slice(1))
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const hasPrinted = (item: unknown): boolean =>
  isRecord(item) && Object.values(item).some((value) => isRecord(value) && (value as Printed)[PRINTED] !== undefined)
