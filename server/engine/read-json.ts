import { isUtf8 } from 'node:buffer'
import { badRequest } from './errors.ts'

const DEPTH_LIMIT = 100

/** Reads JSON with its depth bounded and `__proto__` left out; nothing at all is undefined. */
export function parseJson(body: string | Buffer): unknown {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  if (bytes.length === 0) return undefined
  if (!isUtf8(bytes)) throw badRequest('The body is not valid UTF-8.')
  const outline = outlineOf(bytes)
  if (outline.depth > DEPTH_LIMIT) throw badRequest(`The body is nested deeper than ${DEPTH_LIMIT} levels.`)
  const text = new Text(bytes)
  return readInParts(text, outline) ?? readWhole(text)
}

function readWhole(text: Text): unknown {
  const whole = text.from(0, text.bytes.length).replace(/^\uFEFF/, '')
  if (whole.trim() === '') return undefined
  try {
    return text.read(whole)
  } catch (error) {
    throw badRequest(`The body is not valid JSON: ${(error as Error).message}`)
  }
}

/** The text of a body, read part by part. */
class Text {
  readonly bytes: Buffer
  readonly #hasEscapes: boolean
  readonly #hasPrototype: boolean

  constructor(bytes: Buffer) {
    this.bytes = bytes
    this.#hasEscapes = bytes.includes('\\u')
    this.#hasPrototype = bytes.includes('__proto__')
  }

  from(start: number, end: number): string {
    return this.bytes.toString('utf8', start, end)
  }

  read(part: string): unknown {
    // The key may be written with escapes, which a search for its plain form would miss.
    const isSuspect = this.#hasPrototype || (this.#hasEscapes && /\\u00[567]/i.test(part))
    return JSON.parse(part, isSuspect ? (key, value) => (key === '__proto__' ? undefined : value) : undefined)
  }
}

/** Where things are in a body. */
interface Outline {
  readonly depth: number
  /** Where the list begins and ends that the body is, or that it has as its data, without the brackets. */
  readonly start: number
  readonly end: number
  /** Commas between items of the list, far from each other. */
  readonly cuts: readonly number[]
}

/** Larger ones do not fit where the garbage collector has little to do, and one long text makes the whole list slow to read. */
const PART = 1 << 15

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c]
const [BRACKET, BRACE, CLOSING_BRACKET, CLOSING_BRACE] = [0x5b, 0x7b, 0x5d, 0x7d]

function outlineOf(bytes: Buffer): Outline {
  const start = startOfList(bytes)
  const level = bytes[0] === BRACKET ? 1 : 2
  const cuts: number[] = []
  let end = start < 0 ? 0 : bytes.length
  let next = start + PART
  let depth = 0
  let deepest = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    // Most of a body is text, and whatever is in it does not count.
    if (byte === QUOTE) i = endOfString(bytes, i)
    else if (byte === BRACE || byte === BRACKET) deepest = Math.max(deepest, ++depth)
    else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) {
      if (depth-- === level && i < end) end = i
    } else if (byte === COMMA && depth === level && i >= next && i < end) {
      cuts.push(i)
      next = i + PART
    }
  }
  return { depth: deepest, start, end, cuts }
}

/** Where the items of a list begin that is the body, or comes first in it, as its data; -1 where there is none. */
function startOfList(bytes: Buffer): number {
  return /^(?:\{\s*"data"\s*:\s*)?\[/.exec(bytes.toString('latin1', 0, 100))?.[0].length ?? -1
}

/**
 * Reads a long list some items at a time: the text of all of it would be in memory at once, twice as large where a single
 * character is beyond Latin, and it would stay there until the old heap is cleared up. Undefined where the body is not such a
 * list, or is not valid.
 */
function readInParts(text: Text, { start, end, cuts }: Outline): unknown {
  if (cuts.length === 0) return undefined
  const { bytes } = text
  const tail = text.from(end, bytes.length)
  // Of two that have the same name the last counts.
  if (tail.includes('data') || tail.includes('\\')) return undefined
  try {
    const around = text.read(text.from(0, start) + tail)
    const items = Array.isArray(around) ? around : (around as { data: unknown[] }).data
    let from = start
    for (const to of [...cuts, end]) {
      const part = text.read(listOf(bytes, from, to)) as unknown[]
      if (part.length === 0) return undefined
      for (const item of part) items.push(item)
      from = to + 1
    }
    return around
  } catch {
    // Whoever reads it as a whole says where it is wrong.
    return undefined
  }
}

/** The text of some items of a list, with brackets in place of the commas around them: a text put together would be a copy more. */
function listOf(bytes: Buffer, from: number, to: number): string {
  const [first, last] = [bytes[from - 1], bytes[to]]
  bytes[from - 1] = BRACKET
  bytes[to] = CLOSING_BRACKET
  const list = bytes.toString('utf8', from - 1, to + 1)
  bytes[from - 1] = first as number
  bytes[to] = last as number
  return list
}

/** Where the string that starts here ends: at the next quote that no odd number of backslashes stands before. */
function endOfString(bytes: Buffer, start: number): number {
  // Most strings are short, and looking at a few bytes takes less than asking for the next quote.
  const near = Math.min(start + 32, bytes.length)
  for (let i = start + 1; i < near && bytes[i] !== BACKSLASH; i++) if (bytes[i] === QUOTE) return i
  for (let end = bytes.indexOf(QUOTE, start + 1); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let first = end
    while (bytes[first - 1] === BACKSLASH) first--
    if ((end - first) % 2 === 0) return end
  }
  return bytes.length
}
