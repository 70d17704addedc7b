import { TextDecoder } from 'node:util'
import { type Document, DocumentError } from '../document.ts'
import type { Finding } from '../finding.ts'
import { decodedText, type Encoding, encodingNotes, encodingOf, nameOfEncoding } from './encoding.ts'

const REPLACEMENT = '\uFFFD'
const REPLACEMENT_IN_UTF8 = Buffer.from(REPLACEMENT)

/** How a text is decoded, and what of it could not be. */
export interface Decoding {
  readonly encoding: Encoding
  /** Counts what is unreadable in a piece of the text; `bytes` is what it was decoded from. */
  count(text: string, bytes: Buffer): void
  /** What could not be decoded so far. */
  losses(): readonly string[]
  /** The line of the first of it. */
  firstLine(): number | undefined
}

/** Begins to decode a document in the encoding that it has. */
export const decodingOf = async (document: Document): Promise<Decoding> => decodingIn(await encodingOf(document))

/** Begins to decode a text in a known encoding. */
export function decodingIn(encoding: Encoding): Decoding {
  let unreadable = 0
  let line = 1
  let first: number | undefined
  return {
    encoding,
    count(text, bytes) {
      const found = countOf(text) - (encoding === 'utf-8' ? sentIn(bytes) : 0)
      if (found > 0) {
        unreadable += found
        first ??= line + breaksBefore(text, text.indexOf(REPLACEMENT))
      }
      if (first === undefined) line += breaksBefore(text, text.length)
    },
    losses: () =>
      unreadable > 0
        ? [
            `${placesOf(unreadable)} no meaning in ${nameOfEncoding(encoding)} and became U+FFFD, first in line ${first}`,
          ]
        : [],
    firstLine: () => first,
  }
}

/** The pieces of a document's text, with what is unreadable in them counted. */
export const decodedPieces = (document: Document, { encoding, count }: Decoding): AsyncGenerator<string> =>
  decodedText(document, encoding, count)

/** The text of bytes in memory, with what is unreadable counted. */
export function decodedBytes(bytes: Buffer, decoding: Decoding): string {
  if (decoding.encoding.startsWith('utf-32')) throw new DocumentError('The file is text in UTF-32; save it as UTF-8.')
  const text = new TextDecoder(decoding.encoding).decode(bytes)
  decoding.count(text, bytes)
  return text
}

/** Findings with what is said of the way their text was decoded: the encoding with the first entity, losses at the end. */
export async function* withDecoding(findings: AsyncIterable<Finding>, decoding: Decoding): AsyncGenerator<Finding> {
  let notes = encodingNotes(decoding.encoding)
  for await (const finding of findings) {
    if (finding.kind !== 'entity' || notes.length === 0) {
      yield finding
      continue
    }
    yield { ...finding, notes: [...notes, ...(finding.notes ?? [])] }
    notes = []
  }
  const losses = decoding.losses()
  if (losses.length > 0) yield { kind: 'lost', at: `line ${decoding.firstLine()}`, losses }
}

const placesOf = (count: number): string =>
  count === 1 ? '1 sequence of bytes has' : `${count} sequences of bytes have`

function countOf(text: string): number {
  let count = 0
  for (let at = text.indexOf(REPLACEMENT); at >= 0; at = text.indexOf(REPLACEMENT, at + 1)) count++
  return count
}

/** How many of the characters were sent as such, and stand for nothing that was lost here. */
function sentIn(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(REPLACEMENT_IN_UTF8); at >= 0; at = bytes.indexOf(REPLACEMENT_IN_UTF8, at + 3)) count++
  return count
}

function breaksBefore(text: string, end: number): number {
  let breaks = 0
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) breaks++
  return breaks
}
