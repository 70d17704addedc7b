import { TextDecoder } from 'node:util'
import { DocumentError } from '../document.ts'
import { decodedBytes, decodingIn } from '../encoding/decoding.ts'
import { type Encoding, encodingNotes, encodingOfBytes } from '../encoding/encoding.ts'
import { wideEncodingOf } from '../encoding/wide-encoding.ts'

/** The decoded text, with remarks on its encoding and on bytes that could not be decoded. */
export interface Decoded {
  readonly text: string
  readonly notes: readonly string[]
  readonly losses: readonly string[]
}

/**
 * Decodes bytes by their byte order mark, by the declared encoding, as UTF-8 if they are valid, and otherwise by their letters. Bytes with
 * a NUL character are rejected.
 */
export function decodeBytes(bytes: Buffer, declared?: string): Decoded {
  const encoding = wideEncodingOf(bytes.subarray(0, HEAD)) ?? knownEncoding(declared) ?? encodingOfBytes(bytes)
  const decoding = decodingIn(encoding)
  const text = decodedBytes(bytes, decoding)
  const nul = text.indexOf('\0')
  if (nul < 0) return { text, notes: encodingNotes(encoding), losses: decoding.losses() }
  const line = text.slice(0, nul).split('\n').length
  throw new DocumentError(`line ${line}: contains a NUL character, which text never has`)
}

const HEAD = 64 * 1024

/** A document that declares UTF-16 in single-byte letters is not in UTF-16. */
function knownEncoding(label: string | undefined): Encoding | undefined {
  if (label === undefined) return undefined
  try {
    const { encoding } = new TextDecoder(label.trim())
    return encoding.startsWith('utf-16') ? undefined : encoding
  } catch {
    return undefined
  }
}
