import { TextDecoder } from 'node:util'
import { DocumentError } from '../document.ts'
import { decodedBytes, decodingIn } from '../encoding/decoding.ts'
import { type Encoding, encodingNotes, encodingOfBytes } from '../encoding/encoding.ts'
import { wideEncodingOf } from '../encoding/wide-encoding.ts'

/** The text that bytes stand for, and what is said of how it was written and of what could not be decoded. */
export interface Decoded {
  readonly text: string
  readonly notes: readonly string[]
  readonly losses: readonly string[]
}

/**
 * Decodes bytes: by their byte order mark, by what is declared, as UTF-8 where they are that, and else by their letters. Bytes with the
 * NUL character are no text.
 */
export function decodeBytes(bytes: Buffer, declared?: string): Decoded {
  const encoding = wideEncodingOf(bytes.subarray(0, HEAD)) ?? knownEncoding(declared) ?? encodingOfBytes(bytes)
  const decoding = decodingIn(encoding)
  const text = decodedBytes(bytes, decoding)
  const nul = text.indexOf('\0')
  if (nul < 0) return { text, notes: encodingNotes(encoding), losses: decoding.losses() }
  const line = text.slice(0, nul).split('\n').length
  throw new DocumentError(`line ${line}: has a NUL character, which no text has`)
}

const HEAD = 64 * 1024

/** What declares UTF-16 in letters of one byte is not in UTF-16. */
function knownEncoding(label: string | undefined): Encoding | undefined {
  if (label === undefined) return undefined
  try {
    const { encoding } = new TextDecoder(label.trim())
    return encoding.startsWith('utf-16') ? undefined : encoding
  } catch {
    return undefined
  }
}
