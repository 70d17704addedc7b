import { isUtf8 } from 'node:buffer'

/** The media type for unknown content, and for content whose type browsers should not know. */
export const UNKNOWN = 'application/octet-stream'

const TEXT = 'text/plain'

/** Media types by the first bytes of the content, in hexadecimal. */
const SIGNATURES: readonly (readonly [type: string, start: RegExp])[] = [
  ['image/png', /^89504e470d0a1a0a/],
  ['image/jpeg', /^ffd8ff/],
  ['image/gif', /^47494638(?:37|39)61/],
  ['image/webp', /^52494646.{8}57454250/],
  ['application/pdf', /^255044462d/],
  ['application/zip', /^504b(?:0304|0506|0708)/],
  ['application/gzip', /^1f8b/],
]

/** Detects the media type from the content itself: the type stated by a sender cannot be trusted. */
export function mediaTypeOf(bytes: Buffer): string {
  const start = bytes.toString('hex', 0, 16)
  const known = SIGNATURES.find(([, signature]) => signature.test(start))
  if (known) return known[0]
  return isText(bytes) ? TEXT : UNKNOWN
}

/** The media type to serve content with. The real type is used only if browsers execute nothing in it. */
export function servedTypeOf(type: string): string {
  if (type === TEXT) return `${TEXT}; charset=utf-8`
  return type.startsWith('image/') ? type : UNKNOWN
}

const LOOKED_AT = 4096

function isText(bytes: Buffer): boolean {
  return bytes.length > 0 && !bytes.subarray(0, LOOKED_AT).some(isControl) && isUtf8(bytes)
}

/** Tab, line feed, form feed, carriage return and escape occur in text files. */
const isControl = (byte: number): boolean => byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte)
