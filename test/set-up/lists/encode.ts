import { TextDecoder } from 'node:util'

/** Encodes a text. Node only decodes most encodings, so this inverts its decoder. */
export function encode(text: string, encoding = 'utf-8'): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text)
  if (encoding === 'utf-8-bom') return Buffer.from(`\ufeff${text}`)
  if (encoding === 'utf-16le-bom') return Buffer.from(`\ufeff${text}`, 'utf16le')
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le')
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16()
  const bytes = bytesOf(encoding)
  return Buffer.concat(
    Array.from(text, (character) => {
      const found = bytes.get(character)
      if (!found) throw new Error(`${encoding} has no ${character}`)
      return found
    }),
  )
}

const bytesByEncoding = new Map<string, ReadonlyMap<string, Buffer>>()

/** The byte or two bytes that encode each character. Trying all pairs is slow, so each encoding is tried once. */
function bytesOf(encoding: string): ReadonlyMap<string, Buffer> {
  const known = bytesByEncoding.get(encoding) ?? bytesFromDecoder(encoding)
  bytesByEncoding.set(encoding, known)
  return known
}

function bytesFromDecoder(encoding: string): ReadonlyMap<string, Buffer> {
  const decoder = new TextDecoder(encoding)
  const found = new Map<string, Buffer>()
  const take = (bytes: Buffer) => {
    const text = decoder.decode(bytes)
    if (Array.from(text).length === 1 && text !== '\ufffd' && !found.has(text)) found.set(text, bytes)
  }
  for (let first = 0; first < 256; first++) take(Buffer.from([first]))
  for (let first = 0x81; first < 0xff; first++)
    for (let second = 0x40; second < 0xff; second++) take(Buffer.from([first, second]))
  return found
}
