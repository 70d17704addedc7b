import { type Document, DocumentError } from '../document.ts'

const INITIAL_CAPACITY = 128 * 1024
const NEWLINE = 0x0a

/** A window on a document. Everything before `at` has been consumed. */
export interface Input {
  bytes: Buffer
  at: number
  end: number
  /** The position of `bytes` in the document. */
  offset: number
  /** The line of `at`, counted from 1. */
  line: number
  readonly chunks: AsyncIterator<Buffer>
}

/** A position in a document. */
export interface Place {
  readonly byte: number
  readonly line: number
}

/** Starts reading a document after the UTF-8 byte order mark. Other encodings are rejected by name. */
export async function inputOf(document: Document): Promise<Input> {
  const chunks = document.open()[Symbol.asyncIterator]()
  const input: Input = { bytes: Buffer.allocUnsafe(INITIAL_CAPACITY), at: 0, end: 0, offset: 0, line: 1, chunks }
  while (input.end < 4 && (await fill(input)));
  const head = input.bytes.subarray(0, Math.min(input.end, 4))
  const foreign = encodingOf(head)
  if (foreign) throw new DocumentError(`The document is in ${foreign}; only UTF-8 is supported for JSON.`)
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) input.at = 3
  return input
}

/** Reads the next chunk; false at the end. Everything before `at` is released. */
export async function fill(input: Input): Promise<boolean> {
  const { done, value: chunk } = await input.chunks.next()
  if (done) return false
  ensureCapacity(input, chunk.length)
  chunk.copy(input.bytes, input.end)
  input.end += chunk.length
  return true
}

/** Skips white space and returns the next byte; undefined at the end of the document. */
export async function nextByte(input: Input): Promise<number | undefined> {
  for (;;) {
    while (input.at < input.end) {
      const byte = input.bytes[input.at]
      if (byte === NEWLINE) input.line++
      else if (byte !== 0x20 && byte !== 0x0d && byte !== 0x09) return byte
      input.at++
    }
    if (!(await fill(input))) return undefined
  }
}

/** The current position. */
export const placeOf = (input: Input): Place => ({ byte: input.offset + input.at, line: input.line })

/** A document error with its position. */
export const faultAt = ({ byte, line }: Place, reason: string): DocumentError =>
  new DocumentError(`Line ${line}, byte ${byte}: ${reason}`)

/** Capacity doubles, so that a long item is not copied once for every chunk. */
function ensureCapacity(input: Input, size: number): void {
  const kept = input.end - input.at
  if (input.end + size <= input.bytes.length) return
  const isTooSmall = kept + size > input.bytes.length / 2
  const target = isTooSmall ? Buffer.allocUnsafe(Math.max(2 * (kept + size), INITIAL_CAPACITY)) : input.bytes
  input.bytes.copy(target, 0, input.at, input.end)
  input.bytes = target
  input.offset += input.at
  input.at = 0
  input.end = kept
}

function encodingOf(head: Buffer): string | undefined {
  const [a, b, c, d] = head
  const isWide = head.length === 4
  if (isWide && a === 0xff && b === 0xfe && c === 0 && d === 0) return 'UTF-32'
  if (isWide && a === 0 && b === 0 && (c !== 0xfe ? c === 0 : d === 0xff)) return 'UTF-32'
  if (isWide && a !== 0 && b === 0 && c === 0 && d === 0) return 'UTF-32'
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) return 'UTF-16'
  if (head.length >= 2 && (a === 0) !== (b === 0)) return 'UTF-16'
  return undefined
}
