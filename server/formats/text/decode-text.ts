import { TextDecoder } from 'node:util'
import { DocumentError } from '../document.ts'

/**
 * The text that bytes stand for: by their byte order mark, by what is declared, as UTF-8 where they are that, and else as the
 * Windows-1252 that programs write who say nothing. Bytes with the NUL character are no text.
 */
export function decodeText(bytes: Buffer, declared?: string): string {
  const text = decoded(bytes, declared)
  const nul = text.indexOf('\0')
  if (nul < 0) return text
  const line = text.slice(0, nul).split('\n').length
  throw new DocumentError(`line ${line}: has a NUL character, which no text has`)
}

function decoded(bytes: Buffer, declared: string | undefined): string {
  const encoding = markOf(bytes)
  if (encoding) return new TextDecoder(encoding).decode(bytes)
  const named = declared === undefined ? undefined : decoderFor(declared)
  if (named) return named.decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The encoding that the first bytes tell: a mark, or zeros beside letters of one byte. */
function markOf(bytes: Buffer): string | undefined {
  const [a, b, c, d] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  if (bytes.length >= 4 && a === 0 && c === 0 && b !== 0 && d !== 0) return 'utf-16be'
  if (bytes.length >= 4 && b === 0 && d === 0 && a !== 0 && c !== 0) return 'utf-16le'
  return undefined
}

/** What declares UTF-16 in letters of one byte is not in UTF-16. */
function decoderFor(label: string): TextDecoder | undefined {
  try {
    const decoder = new TextDecoder(label.trim())
    return decoder.encoding.startsWith('utf-16') ? undefined : decoder
  } catch {
    return undefined
  }
}
