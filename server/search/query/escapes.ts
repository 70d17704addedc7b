import type { Written } from './grammar.js'
import { QueryError } from './query-error.ts'

const ESCAPES = /\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g

/** The text that a piece of a query stands for. */
export function withoutEscapes({ raw, start }: Written): string {
  if (!raw.includes('\\')) return raw
  return raw.replaceAll(ESCAPES, (_, code: string | undefined, character: string, at: number) =>
    code === undefined ? escaped(character, start + at) : fromCode(code, start + at),
  )
}

/** A wildcard pattern that keeps its escapes, except that a character given by its number is written out. */
export function withoutCodes({ raw, start }: Written): string {
  if (!raw.includes('\\')) return raw
  return raw.replaceAll(ESCAPES, (_, code: string | undefined, character: string, at: number) => {
    if (code === undefined) return `\\${escaped(character, start + at)}`
    const found = fromCode(code, start + at)
    return /[\p{L}\p{N}\p{Cs}]/u.test(found) ? found : `\\${found}`
  })
}

function escaped(character: string, start: number): string {
  if (character === 'u') throw new QueryError('\\u takes four hexadecimal digits, as in \\u00e9.', start)
  return character
}

function fromCode(code: string, start: number): string {
  // PostgreSQL cannot hold it, so nothing could ever match.
  if (code === '0000') throw new QueryError('A query cannot contain the character NUL.', start)
  return String.fromCharCode(Number.parseInt(code, 16))
}
