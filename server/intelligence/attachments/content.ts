import { hash } from 'node:crypto'
import { z } from 'zod'
import { ApiError } from '../../engine/errors.ts'
import { mediaTypeOf } from '../../http/media-type.ts'

/** Largest content in bytes; in base64 and JSON it still fits into a body. */
export const LARGEST = 40 * 1024 * 1024

/** The bytes of a file, and what follows from them. */
export interface Content {
  readonly bytes: Buffer
  readonly sha256: string
  readonly sha1: string
  readonly md5: string
  readonly type: string
}

/** Reads content out of base64: either alphabet, padded or not, broken into lines or not. */
export const content = z.string().transform((text, check): Content => {
  const digits = text.replaceAll(/[ \t\r\n]+/g, '')
  const fault = faultIn(digits)
  if (fault !== undefined) {
    check.addIssue({ code: 'custom', message: `must be base64: ${fault}` })
    return z.NEVER
  }
  return contentOf(Buffer.from(digits, 'base64'))
})

/** Node skips what is no base64 without a word, and would store something else than was sent. */
function faultIn(digits: string): string | undefined {
  const stray = digits.search(/[^A-Za-z0-9+/_=-]/)
  if (stray >= 0) return `character ${stray + 1} is none of its digits`
  const end = digits.indexOf('=')
  const count = end < 0 ? digits.length : end
  const size = Math.floor((count * 3) / 4)
  if (size > LARGEST) throw new ApiError(413, `data: must be at most ${LARGEST} bytes, not ${size}.`)
  const padding = digits.slice(count)
  if (padding !== '' && (!/^={1,2}$/.test(padding) || digits.length % 4 !== 0)) return 'its padding is wrong'
  return count % 4 === 1 ? 'its last digit stands alone' : undefined
}

/** Bytes with what follows from them. */
export const contentOf = (bytes: Buffer): Content => ({
  bytes,
  sha256: hash('sha256', bytes),
  sha1: hash('sha1', bytes),
  md5: hash('md5', bytes),
  type: mediaTypeOf(bytes),
})
