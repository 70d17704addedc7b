import type { Written } from './grammar.js'
import { QueryError } from './query-error.ts'

const ESCAPES = /\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g

/** Removes the escapes from a piece of a query. */
export function withoutEscapes({ raw, start }: Written): string {
  if (!raw.includes('\\')) return raw
  return raw.replaceAll(ESCAPES, (_, code: string | undefined, character: string, at: number) =>
    code === undefined ? escaped(character, start + at) : fromCode(code, start + at),
  )
}

/** Replaces `\uXXXX` in a wildcard pattern by the character, and keeps all other escapes. */
export function withoutCodes({ raw, start }: Written): string {
  if (!raw.includes('\\')) return raw
  return raw.replaceAll(ESCAPES, (_, code: string | undefined, character: string, at: number) => {
    if (code === undefined) return `\\${escaped(character, start + at)}`
    const found = fromCode(code, start + at)
    return /[\p{L}\p{N}\p{Cs}]/u.test(found) ? found : `\\${found}`
  })
}

function escaped(character: string, start: number): string {
  if (character === 'u') throw new QueryError('\\u must be followed by four hexadecimal digits, as in \\u00e9.', start)
  return character
}

function fromCode(code: string, start: number): string {
  // PostgreSQL cannot store this character, so nothing could match.
  if (code === '0000') throw new QueryError('A query cannot contain the NUL character.', start)
  return String.fromCharCode(Number.parseInt(code, 16))
}
