import { entityTypeName } from '../domain/entity-types.ts'
import { tlpName } from '../domain/tlp.ts'

/** The number of alternatives that are named before the rest is counted. */
const MAX_NAMED = 3

/** Alternatives in words: “A, B or C”, or “A, B, C or 4 more”. */
export const anyOf = (names: readonly string[], most = MAX_NAMED): string => listed(names, 'or', most)

function listed(names: readonly string[], word: string, most: number): string {
  const named = names.length > most + 1 ? names.slice(0, most) : names
  const rest = names.length - named.length
  const all = rest > 0 ? [...named, `${rest} more`] : named
  return all.length < 2 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} ${word} ${all.at(-1)}`
}

/** Names in words: “A, B and C”, or “A, B, C and 4 more”. */
export const allOf = (names: readonly string[]): string => listed(names, 'and', MAX_NAMED)

/** A text in quotation marks. */
export const inQuotes = (text: string): string => `“${text}”`

interface Scope {
  readonly entity_types: readonly string[]
  /** The names of the sources. */
  readonly sources: readonly string[]
  readonly tlps?: readonly string[]
}

/** Which entities a rule considers, by type, source and TLP; empty if it considers all. */
export function scopeInWords({ entity_types, sources, tlps = [] }: Scope): readonly string[] {
  return [
    ...(entity_types.length > 0 ? [anyOf(entity_types.map(entityTypeName))] : []),
    ...(sources.length > 0 ? [`from ${anyOf(sources)}`] : []),
    ...(tlps.length > 0
      ? [anyOf(tlps.map((colour) => (colour === 'NONE' ? 'no TLP' : `TLP:${tlpName(colour)}`)))]
      : []),
  ]
}
