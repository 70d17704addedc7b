import { isUtf8 } from 'node:buffer'
import { faultAt, fill, type Input, type Place, placeOf } from './input.ts'

/** Maximum nesting depth of one value. */
export const DEPTH_LIMIT = 100

/** Maximum length of one value in bytes. */
export const VALUE_LIMIT = 32 * 1024 * 1024

const QUOTE = 0x22
const BACKSLASH = 0x5c
const NEWLINE = 0x0a

/** The text of one JSON value, and what was counted while scanning it. */
export interface Cut {
  readonly text: string
  readonly place: Place
  /** The total number of members in its objects. */
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

/** Extracts the text of the value at the current position. Only parsing shows whether it is valid JSON. */
export async function cutValue(input: Input): Promise<Cut> {
  const place = placeOf(input)
  if (input.at === input.end) throw faultAt(place, 'the document ends where a value is expected.')
  const scan: Scan = { depth: 0, isInText: false, isEscaped: false, hasEscapes: false, members: 0, lines: 0 }
  const step = isBare(input.bytes[input.at]) ? scanBare : scanClosed
  let scanned = 0
  for (;;) {
    const end = step(scan, input.bytes, input.at + scanned, input.end)
    if (scan.depth > DEPTH_LIMIT) throw faultAt(place, `this value is nested more than ${DEPTH_LIMIT} levels deep.`)
    const length = (end < 0 ? input.end : end) - input.at
    if (length > VALUE_LIMIT) throw faultAt(place, `this value exceeds ${VALUE_LIMIT} bytes.`)
    if (end >= 0) return take(input, scan, length, place)
    scanned = length
    if (await fill(input)) continue
    if (step === scanBare) return take(input, scan, length, place)
    throw faultAt(place, `the document ends inside this value${scan.isInText ? ', in the middle of a string' : ''}.`)
  }
}

function take(input: Input, scan: Scan, length: number, place: Place): Cut {
  const bytes = input.bytes.subarray(input.at, input.at + length)
  if (!isUtf8(bytes)) throw faultAt(place, 'this value is not valid UTF-8.')
  const text = bytes.toString('utf8')
  input.at += length
  input.line += scan.lines
  return { text, place, members: scan.members, hasEscapes: scan.hasEscapes }
}

/** Whether a value is a number or a word, without quotes or brackets. */
const isBare = (byte: number | undefined): boolean => byte !== QUOTE && byte !== 0x7b && byte !== 0x5b

/** Returns the end of a string, list or object; -1 if it has not been reached. */
function scanClosed(scan: Scan, bytes: Buffer, from: number, end: number): number {
  let at = from
  while (at < end && scan.depth <= DEPTH_LIMIT) {
    at = scan.isInText ? scanText(scan, bytes, at, end) : scanStructure(scan, bytes, at, end)
    if (scan.depth === 0 && !scan.isInText) return at
  }
  return -1
}

/** Scans to the end of a string, or of the available bytes. */
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
  // One byte too far: the chunk ends with a backslash.
  scan.isEscaped = at > end
  return end
}

/** Scans to the next string, to the closing bracket, or to the depth limit. */
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

/** Returns the end of a number or a word; -1 if it has not been reached. */
function scanBare(_: Scan, bytes: Buffer, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    const byte = bytes[at] as number
    // White space, control characters, commas, colons, brackets and quotes end it.
    if (byte <= 0x20 || byte === 0x2c || byte === 0x3a || byte === 0x5d || byte === 0x7d || byte === QUOTE) return at
  }
  return -1
}
