import { TextDecoder } from 'node:util'
import { type Document, DocumentError } from '../document.ts'
import type { Finding } from '../finding.ts'
import { decodedText, type Encoding, encodingNotes, encodingOf, nameOfEncoding } from './encoding.ts'

const REPLACEMENT = '\uFFFD'
const REPLACEMENT_IN_UTF8 = Buffer.from(REPLACEMENT)

/** The encoding of a text, and a count of what could not be decoded. */
export interface Decoding {
  readonly encoding: Encoding
  /** Counts invalid sequences in a chunk of text; `bytes` is its source. */
  count(text: string, bytes: Buffer): void
  /** What could not be decoded so far. */
  losses(): readonly string[]
  /** The line of the first invalid sequence. */
  firstLine(): number | undefined
}

/** Starts decoding a document in its detected encoding. */
export const decodingOf = async (document: Document): Promise<Decoding> => decodingIn(await encodingOf(document))

/** Starts decoding a text in a known encoding. */
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
            `${sequences(unreadable)} not valid in ${nameOfEncoding(encoding)} and replaced by U+FFFD, first in line ${first}`,
          ]
        : [],
    firstLine: () => first,
  }
}

/** Decodes a document chunk by chunk and counts invalid sequences. */
export const decodedPieces = (document: Document, { encoding, count }: Decoding): AsyncGenerator<string> =>
  decodedText(document, encoding, count)

/** Decodes bytes in memory and counts invalid sequences. */
export function decodedBytes(bytes: Buffer, decoding: Decoding): string {
  if (decoding.encoding.startsWith('utf-32')) throw new DocumentError('The file is text in UTF-32; save it as UTF-8.')
  const text = new TextDecoder(decoding.encoding).decode(bytes)
  decoding.count(text, bytes)
  return text
}

/** Adds remarks on decoding to findings: the encoding to the first entity, and losses at the end. */
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

const sequences = (count: number): string => (count === 1 ? '1 byte sequence is' : `${count} byte sequences are`)

function countOf(text: string): number {
  let count = 0
  for (let at = text.indexOf(REPLACEMENT); at >= 0; at = text.indexOf(REPLACEMENT, at + 1)) count++
  return count
}

/** Counts the replacement characters that were part of the original text. */
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
