import { isUtf8 } from 'node:buffer'
import { faultAt, fill, type Input, type Place, placeOf } from './input.ts'

/** The deepest nesting of one value. */
export const DEPTH_LIMIT = 100

/** The longest text of one value, in bytes. */
export const VALUE_LIMIT = 32 * 1024 * 1024

const QUOTE = 0x22
const BACKSLASH = 0x5c
const NEWLINE = 0x0a

/** The text of one JSON value as it stands in a document, and what is seen of it in passing. */
export interface Cut {
  readonly text: string
  readonly place: Place
  /** How many members its objects have altogether. */
  readonly members: number
  readonly hasEscapes: boolean
}

interface Scan {
  depth: number
  isInText: boolean
  isEscaped: boolean
  hasEscapes: boolean
  members: number
  lines: number
}

/** Cuts out the value that begins at the place where the reader stands. Whether it is JSON is for who parses it. */
export async function cutValue(input: Input): Promise<Cut> {
  const place = placeOf(input)
  if (input.at === input.end) throw faultAt(place, 'the document ends where a value has to begin.')
  const scan: Scan = { depth: 0, isInText: false, isEscaped: false, hasEscapes: false, members: 0, lines: 0 }
  const step = isBare(input.bytes[input.at]) ? scanBare : scanClosed
  let scanned = 0
  for (;;) {
    const end = step(scan, input.bytes, input.at + scanned, input.end)
    if (scan.depth > DEPTH_LIMIT) throw faultAt(place, `what begins here is nested deeper than ${DEPTH_LIMIT} levels.`)
    const length = (end < 0 ? input.end : end) - input.at
    if (length > VALUE_LIMIT) throw faultAt(place, `what begins here is longer than ${VALUE_LIMIT} bytes.`)
    if (end >= 0) return take(input, scan, length, place)
    scanned = length
    if (await fill(input)) continue
    if (step === scanBare) return take(input, scan, length, place)
    throw faultAt(
      place,
      `the document ends inside what begins here${scan.isInText ? ', in the middle of a text' : ''}.`,
    )
  }
}

function take(input: Input, scan: Scan, length: number, place: Place): Cut {
  const bytes = input.bytes.subarray(input.at, input.at + length)
  if (!isUtf8(bytes)) throw faultAt(place, 'what begins here is not valid UTF-8.')
  const text = bytes.toString('utf8')
  input.at += length
  input.line += scan.lines
  return { text, place, members: scan.members, hasEscapes: scan.hasEscapes }
}

/** Whether a value that begins so has neither quotes nor brackets around it: a number or a word. */
const isBare = (byte: number | undefined): boolean => byte !== QUOTE && byte !== 0x7b && byte !== 0x5b

/** The end of a text, a list or an object, or -1 where it has not come yet. */
function scanClosed(scan: Scan, bytes: Buffer, from: number, end: number): number {
  let at = from
  while (at < end && scan.depth <= DEPTH_LIMIT) {
    at = scan.isInText ? scanText(scan, bytes, at, end) : scanStructure(scan, bytes, at, end)
    if (scan.depth === 0 && !scan.isInText) return at
  }
  return -1
}

/** Goes to the end of a text, or of what is there of it. */
function scanText(scan: Scan, bytes: Buffer, from: number, end: number): number {
  let at = from
  if (scan.isEscaped) {
    scan.isEscaped = false
    at++
  }
  for (; at < end; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      scan.isInText = false
      return at + 1
    }
    if (byte === BACKSLASH) {
      scan.hasEscapes = true
      at++
    }
  }
  // One too far: the piece ends with a backslash.
  scan.isEscaped = at > end
  return end
}

/** Goes to the next text, to where the outermost bracket closes, or to where it gets too deep. */
function scanStructure(scan: Scan, bytes: Buffer, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      scan.isInText = true
      return at + 1
    }
    if (byte === 0x3a) scan.members++
    else if (byte === NEWLINE) scan.lines++
    else if (byte === 0x7b || byte === 0x5b) {
      if (++scan.depth > DEPTH_LIMIT) return at
    } else if ((byte === 0x7d || byte === 0x5d) && --scan.depth === 0) return at + 1
  }
  return end
}

/** The end of a number or a word, or -1 where it has not come yet. */
function scanBare(_: Scan, bytes: Buffer, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    const byte = bytes[at] as number
    // Space and controls, comma, colon, brackets and quotes end it.
    if (byte <= 0x20 || byte === 0x2c || byte === 0x3a || byte === 0x5d || byte === 0x7d || byte === QUOTE) return at
  }
  return -1
}
