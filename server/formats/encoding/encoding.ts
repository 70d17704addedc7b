import { isAscii } from 'node:buffer'
import { TextDecoder } from 'node:util'
import { type Document, DocumentError } from '../document.ts'
import { legacyEncodingOf } from './legacy-encoding.ts'
import { wideEncodingOf } from './wide-encoding.ts'

/** How the characters of a text are written as bytes: a label that TextDecoder knows. */
export type Encoding = string

/** How much of a text without UTF-8 is looked at: only lines with bytes beyond ASCII say anything. */
const SAMPLE = 64 * 1024

/** Finds the encoding of a document: by its byte order mark, by its zeros, as UTF-8 where it is that all through, and else by its letters. */
export async function encodingOf(document: Document): Promise<Encoding> {
  const telling = tellingLines(SAMPLE)
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  let isUtf8 = true
  let head = Buffer.alloc(0)
  for await (const chunk of document.open()) {
    if (head.length < SAMPLE) {
      head = Buffer.concat([head, chunk.subarray(0, SAMPLE - head.length)])
      const wide = head.length < 4 && chunk.length === 0 ? undefined : wideEncodingOf(head)
      if (wide) return wide
    }
    isUtf8 &&= isValid(utf8, chunk)
    telling.take(chunk)
    if (!isUtf8 && telling.isFull()) break
  }
  isUtf8 &&= isValid(utf8)
  return isUtf8 ? 'utf-8' : legacyEncodingOf(telling.sample())
}

/** The encoding of bytes that are in memory. */
export function encodingOfBytes(bytes: Buffer): Encoding {
  const wide = wideEncodingOf(bytes.subarray(0, SAMPLE))
  if (wide) return wide
  if (isValid(new TextDecoder('utf-8', { fatal: true }), bytes)) return 'utf-8'
  const telling = tellingLines(SAMPLE)
  telling.take(bytes)
  return legacyEncodingOf(telling.sample())
}

/** What people call an encoding. */
export const nameOfEncoding = (encoding: Encoding): string =>
  NAMES[encoding] ??
  encoding.replace(/^windows/, 'Windows').replace(/^(?:utf|iso|koi|euc|gb)/, (start) => start.toUpperCase())

const NAMES: Readonly<Record<Encoding, string>> = {
  big5: 'Big5',
  shift_jis: 'Shift_JIS',
  'utf-16le': 'UTF-16 (little endian)',
  'utf-16be': 'UTF-16 (big endian)',
}

/** What is said of the encoding of a text: UTF-8 goes without saying. */
export const encodingNotes = (encoding: Encoding): readonly string[] =>
  encoding === 'utf-8' ? [] : [`The encoding is ${nameOfEncoding(encoding)}.`]

/**
 * The text of a document, piece by piece, without its byte order mark. Bytes that mean nothing in its encoding become U+FFFD; `see` is
 * called with each piece and its bytes.
 */
export async function* decodedText(
  document: Document,
  encoding: Encoding,
  see: (text: string, bytes: Buffer) => void = () => {},
): AsyncGenerator<string> {
  if (encoding.startsWith('utf-32')) throw new DocumentError('The file is text in UTF-32; save it as UTF-8.')
  const decoder = new TextDecoder(encoding)
  for await (const chunk of document.open()) {
    const text = decoder.decode(chunk, { stream: true })
    see(text, chunk)
    if (text !== '') yield text
  }
  const rest = decoder.decode()
  see(rest, Buffer.alloc(0))
  if (rest !== '') yield rest
}

function isValid(decoder: TextDecoder, chunk?: Buffer): boolean {
  try {
    decoder.decode(chunk, { stream: chunk !== undefined })
    return true
  } catch {
    return false
  }
}

/** Collects the lines of a text that have bytes beyond ASCII. */
function tellingLines(limit: number) {
  const lines: Buffer[] = []
  let size = 0
  let open = Buffer.alloc(0)
  const keep = (line: Buffer): void => {
    if (size >= limit || isAscii(line)) return
    lines.push(Buffer.from(line.subarray(0, limit - size)), LINE_END)
    size += line.length + 1
  }
  return {
    take(chunk: Buffer): void {
      if (size >= limit) return
      let start = 0
      for (let end = chunk.indexOf(0x0a); end >= 0 && size < limit; end = chunk.indexOf(0x0a, start)) {
        keep(
          start === 0 && open.length > 0 ? Buffer.concat([open, chunk.subarray(0, end)]) : chunk.subarray(start, end),
        )
        open = Buffer.alloc(0)
        start = end + 1
      }
      const rest = chunk.subarray(start)
      open = Buffer.concat([open, rest]).subarray(0, limit)
    },
    isFull: (): boolean => size >= limit,
    sample(): Buffer {
      keep(open)
      return Buffer.concat(lines)
    },
  }
}

const LINE_END = Buffer.from('\n')
