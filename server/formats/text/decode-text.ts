import { TextDecoder } from 'node:util'
import { DocumentError } from '../document.ts'
import { type Encoding, encodingOfBytes } from '../encoding/encoding.ts'
import { wideEncodingOf } from '../encoding/wide-encoding.ts'

/** The text that bytes stand for, and how it was written. Bytes with the NUL character are no text. */
export interface Decoded {
  readonly text: string
  readonly encoding: Encoding
}

/** The text that bytes stand for: by their byte order mark, by what is declared, as UTF-8 where they are that, and else by their letters. */
export const decodeText = (bytes: Buffer, declared?: string): string => decodeBytes(bytes, declared).text

/** The same with the encoding that was found. */
export function decodeBytes(bytes: Buffer, declared?: string): Decoded {
  const encoding = wideEncodingOf(bytes.subarray(0, HEAD)) ?? knownEncoding(declared) ?? encodingOfBytes(bytes)
  if (encoding.startsWith('utf-32')) throw new DocumentError('The file is text in UTF-32; save it as UTF-8.')
  const text = new TextDecoder(encoding).decode(bytes)
  const nul = text.indexOf('\0')
  if (nul < 0) return { text, encoding }
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
