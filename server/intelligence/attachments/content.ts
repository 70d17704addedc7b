import { hash } from 'node:crypto'
import { z } from 'zod'
import { ApiError } from '../../engine/errors.ts'
import { mediaTypeOf } from '../../http/media-type.ts'

/** The largest content of an attachment. As base64 in JSON it still fits into a request body. */
export const MAX_ATTACHMENT_BYTES = 40 * 1024 * 1024

/** The bytes of a file with their hashes and media type. */
export interface Content {
  readonly bytes: Buffer
  readonly sha256: string
  readonly sha1: string
  readonly md5: string
  readonly type: string
}

/** Decodes base64 in either alphabet, with or without padding and line breaks. */
export const content = z.string().transform((text, check): Content => {
  const digits = text.replaceAll(/[ \t\r\n]+/g, '')
  const fault = faultIn(digits)
  if (fault !== undefined) {
    check.addIssue({ code: 'custom', message: `must be base64: ${fault}` })
    return z.NEVER
  }
  return contentOf(Buffer.from(digits, 'base64'))
})

/** Checks base64 strictly: Node silently skips invalid characters and would store other bytes than were sent. */
function faultIn(digits: string): string | undefined {
  const stray = digits.search(/[^A-Za-z0-9+/_=-]/)
  if (stray >= 0) return `character ${stray + 1} is not in the alphabet`
  const end = digits.indexOf('=')
  const count = end < 0 ? digits.length : end
  const size = Math.floor((count * 3) / 4)
  if (size > MAX_ATTACHMENT_BYTES) {
    throw new ApiError(413, `data: must be at most ${MAX_ATTACHMENT_BYTES} bytes, not ${size}.`)
  }
  const padding = digits.slice(count)
  if (padding !== '' && (!/^={1,2}$/.test(padding) || digits.length % 4 !== 0)) return 'the padding is wrong'
  return count % 4 === 1 ? 'a single character is left over at the end' : undefined
}

/** Adds the hashes and the media type to bytes. */
export const contentOf = (bytes: Buffer): Content => ({
  bytes,
  sha256: hash('sha256', bytes),
  sha1: hash('sha1', bytes),
  md5: hash('md5', bytes),
  type: mediaTypeOf(bytes),
})
