import type { Bounds, Query } from '../../search/query/ast.ts'

/** A field of the query language; null for the default fields. */
type Path = string | null

const RANGE = { includesFrom: true, includesTo: true }

/** A whole value, or words in their order in a text. */
export const term = (field: Path, text: string): Query =>
  /^[\p{L}\p{N}][\p{L}\p{N}_.@-]*$/u.test(text)
    ? { kind: 'term', field, text }
    : { kind: 'phrase', field, text, slop: 0 }

export const range = (field: Path, bounds: Bounds<string>): Query => ({ kind: 'range', field, ...bounds })

export const open = (from: string | null, to: string | null, more: Partial<Bounds<string>> = {}): Bounds<string> => ({
  from,
  to,
  ...RANGE,
  ...more,
})

export const beginning = (field: Path, text: string): Query => ({ kind: 'prefix', field, text })

/** Anything that contains a text: the characters with a meaning in patterns are escaped. */
export const containing = (field: Path, text: string): Query => ({
  kind: 'wildcard',
  field,
  pattern: `*${text.replaceAll(/[-+!():^[\]"{}~*?\\/\s|&<>]/g, '\\$&')}*`,
})

/** Words in a text, of which the last may be incomplete. */
export function beginningWords(field: Path, text: string): readonly Query[] {
  const words = text.split(/\s+/).filter(Boolean)
  return words.map((word, i) => (i === words.length - 1 ? beginning(field, word) : term(field, word)))
}

const NUMBER = /^[+-]?\d{1,30}(\.\d{1,30})?$/

/** A number as the query language reads it. */
export function readNumber(text: string): string | undefined {
  const written = text.trim().replaceAll(/(?<=\d)[,_](?=\d{3}(?!\d))/g, '')
  if (!NUMBER.test(written)) return undefined
  const digits = written.startsWith('+') ? written.slice(1) : written
  return Number.isFinite(Number(digits)) ? digits : undefined
}
