import { isUtf8 } from 'node:buffer'

const MAX_DEPTH = 100

/** Why a body cannot be parsed, as a sentence for the client. */
export class InvalidJson extends Error {}

/** Parses JSON of limited depth and drops `__proto__`. Returns undefined for an empty body. */
export function parseJson(body: string | Buffer): unknown {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  if (bytes.length === 0) return undefined
  if (!isUtf8(bytes)) throw new InvalidJson('The body is not valid UTF-8.')
  const outline = outlineOf(bytes)
  if (outline.depth > MAX_DEPTH) throw new InvalidJson(`The body is nested deeper than ${MAX_DEPTH} levels.`)
  const text = new Text(bytes)
  return readInParts(text, outline) ?? readWhole(text)
}

function readWhole(text: Text): unknown {
  const whole = text.from(0, text.bytes.length).replace(/^\uFEFF/, '')
  if (whole.trim() === '') return undefined
  try {
    return text.read(whole)
  } catch (error) {
    throw new InvalidJson(`The body is not valid JSON: ${(error as Error).message}`)
  }
}

/** The text of a body, which is parsed in parts. */
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
    // The key may contain escapes, which a search for its plain form would miss.
    const isSuspect = this.#hasPrototype || (this.#hasEscapes && /\\u00[567]/i.test(part))
    return JSON.parse(part, isSuspect ? (key, value) => (key === '__proto__' ? undefined : value) : undefined)
  }
}

/** The positions of a list in a body. */
interface Outline {
  readonly depth: number
  /** The content of the list that is the body or its `data`, without the brackets. */
  readonly start: number
  readonly end: number
  /** The positions of commas between items, at least `PART_BYTES` from each other. */
  readonly cuts: readonly number[]
}

/** Larger parts leave the young generation of the heap, and one long text would slow down the parsing of the whole list. */
const PART_BYTES = 1 << 15

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c]
const [BRACKET, BRACE, CLOSING_BRACKET, CLOSING_BRACE] = [0x5b, 0x7b, 0x5d, 0x7d]

function outlineOf(bytes: Buffer): Outline {
  const start = startOfList(bytes)
  const level = bytes[0] === BRACKET ? 1 : 2
  const cuts: number[] = []
  let end = start < 0 ? 0 : bytes.length
  let next = start + PART_BYTES
  let depth = 0
  let deepest = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    // Most of a body is text, in which brackets and commas do not count.
    if (byte === QUOTE) i = endOfString(bytes, i)
    else if (byte === BRACE || byte === BRACKET) deepest = Math.max(deepest, ++depth)
    else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) {
      if (depth-- === level && i < end) end = i
    } else if (byte === COMMA && depth === level && i >= next && i < end) {
      cuts.push(i)
      next = i + PART_BYTES
    }
  }
  return { depth: deepest, start, end, cuts }
}

/** The position of the first item of a list that is the body, or its `data` as the first property; -1 if there is none. */
function startOfList(bytes: Buffer): number {
  return /^(?:\{\s*"data"\s*:\s*)?\[/.exec(bytes.toString('latin1', 0, 100))?.[0].length ?? -1
}

/**
 * Parses a long list a few items at a time. The text of the whole list would be in memory at once, twice as large if a single
 * character is not in Latin-1, and would stay until the next collection of the old generation. Returns undefined if the body
 * has no such list, or is not valid.
 */
function readInParts(text: Text, { start, end, cuts }: Outline): unknown {
  if (cuts.length === 0) return undefined
  const { bytes } = text
  const tail = text.from(end, bytes.length)
  // A second property of the same name would replace the list.
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
    // Reading the body as a whole reports what is wrong.
    return undefined
  }
}

/** The text of some items of a list. Brackets replace the commas around them for a moment: concatenation would be another copy. */
function listOf(bytes: Buffer, from: number, to: number): string {
  const [first, last] = [bytes[from - 1], bytes[to]]
  bytes[from - 1] = BRACKET
  bytes[to] = CLOSING_BRACKET
  const list = bytes.toString('utf8', from - 1, to + 1)
  bytes[from - 1] = first as number
  bytes[to] = last as number
  return list
}

/** The end of the string that begins at `start`: the next quote after an even number of backslashes. */
function endOfString(bytes: Buffer, start: number): number {
  // Most strings are short: looking at a few bytes is faster than calling `indexOf`.
  const near = Math.min(start + 32, bytes.length)
  for (let i = start + 1; i < near && bytes[i] !== BACKSLASH; i++) if (bytes[i] === QUOTE) return i
  for (let end = bytes.indexOf(QUOTE, start + 1); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let first = end
    while (bytes[first - 1] === BACKSLASH) first--
    if ((end - first) % 2 === 0) return end
  }
  return bytes.length
}
