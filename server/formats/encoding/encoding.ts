import { isAscii } from 'node:buffer'
import { TextDecoder } from 'node:util'
import { type Document, DocumentError } from '../document.ts'
import { legacyEncodingOf } from './legacy-encoding.ts'
import { wideEncodingOf } from './wide-encoding.ts'

/** A character encoding, as a TextDecoder label. */
export type Encoding = string

/** Maximum bytes examined of a text that is not UTF-8. Only lines with non-ASCII bytes count. */
const SAMPLE_BYTES = 64 * 1024

/**
 * Detects the encoding of a document: by its byte order mark, by its zeros, as UTF-8 if all of it is valid, and otherwise by its letters.
 */
export async function encodingOf(document: Document): Promise<Encoding> {
  const lines = nonAsciiLines(SAMPLE_BYTES)
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  let isUtf8 = true
  let head = Buffer.alloc(0)
  for await (const chunk of document.open()) {
    if (head.length < SAMPLE_BYTES) {
      head = Buffer.concat([head, chunk.subarray(0, SAMPLE_BYTES - head.length)])
      const wide = head.length < 4 && chunk.length === 0 ? undefined : wideEncodingOf(head)
      if (wide) return wide
    }
    isUtf8 &&= isValid(utf8, chunk)
    lines.take(chunk)
    if (!isUtf8 && lines.isFull()) break
  }
  isUtf8 &&= isValid(utf8)
  return isUtf8 ? 'utf-8' : legacyEncodingOf(lines.sample())
}

/** Detects the encoding of bytes in memory. */
export function encodingOfBytes(bytes: Buffer): Encoding {
  const wide = wideEncodingOf(bytes.subarray(0, SAMPLE_BYTES))
  if (wide) return wide
  if (isValid(new TextDecoder('utf-8', { fatal: true }), bytes)) return 'utf-8'
  const lines = nonAsciiLines(SAMPLE_BYTES)
  lines.take(bytes)
  return legacyEncodingOf(lines.sample())
}

/** The display name of an encoding. */
export const nameOfEncoding = (encoding: Encoding): string =>
  NAMES[encoding] ??
  encoding.replace(/^windows/, 'Windows').replace(/^(?:utf|iso|koi|euc|gb)/, (start) => start.toUpperCase())

const NAMES: Readonly<Record<Encoding, string>> = {
  big5: 'Big5',
  shift_jis: 'Shift_JIS',
  'utf-16le': 'UTF-16 (little endian)',
  'utf-16be': 'UTF-16 (big endian)',
}

/** Remarks on the encoding of a text; none for UTF-8. */
export const encodingNotes = (encoding: Encoding): readonly string[] =>
  encoding === 'utf-8' ? [] : [`The encoding is ${nameOfEncoding(encoding)}.`]

/**
 * Decodes a document chunk by chunk, without its byte order mark. Invalid bytes become U+FFFD. `see` is called with each chunk and its
 * bytes.
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

/** Collects the lines of a text that contain non-ASCII bytes. */
function nonAsciiLines(limit: number) {
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
