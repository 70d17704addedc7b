import { createHash } from 'node:crypto'

/**
 * What entities are compared by: a text `<kind>:<type>:<value>`. Entities that share a key are the same thing if the kind is strong, and
 * may be if it is weak.
 */

/** The kinds of keys, from the strongest to the weakest. Only the last one is weak. */
export const KEY_KINDS = ['assigned', 'id', 'title', 'names', 'pattern', 'content', 'place', 'name'] as const

/** One of the kinds of keys. */
export type KeyKind = (typeof KEY_KINDS)[number]

/** The types of entities that can be consolidated. */
export const MATCHED_TYPES = [
  'exploit-target',
  'identity',
  'indicator',
  'infrastructure',
  'intrusion-set',
  'location',
  'malware',
  'threat-actor',
  'tool',
] as const

/** A key that more entities share is switched off. */
export const MAX_KEY_MEMBERS = 50

/** Longer values are cut and end in a hash, so that no key has more than 200 characters. */
const MAX_VALUE = 150
const SHOWN = 100

const RANKS: ReadonlyMap<string, number> = new Map(KEY_KINDS.map((kind, rank) => [kind, rank]))

/** Builds a key. The value must be normalised. */
export const keyOf = (kind: Exclude<KeyKind, 'assigned'>, type: string, value: string): string =>
  `${kind}:${type}:${shortened(value)}`

/** The key of an identifier: different values of one scheme mean different things. */
export const identifierKey = (type: string, scheme: string, value: string): string =>
  keyOf('id', type, `${scheme}:${value}`)

/** The key that entities share because a person put them together. */
export const assignedKey = (group: string): string => `assigned:${group}`

/** Whether a key joins entities without a person. */
export const isStrong = (key: string): boolean => !isWeak(key)

/** Whether a key only suggests. */
export const isWeak = (key: string): boolean => key.startsWith('name:')

/** Whether a key is a title and another name. */
export const isPairOfNames = (key: string): boolean => key.startsWith('names:')

/** Whether a person decided about the entities that share a key. */
export const isAssigned = (key: string): boolean => key.startsWith('assigned:')

/** Whether a key is an identifier of a public catalogue. */
export const isIdentifier = (key: string): boolean => key.startsWith('id:')

/** The position of a key's kind among the kinds: the strongest is 0. */
export const rankOf = (key: string): number => RANKS.get(kindOf(key)) ?? KEY_KINDS.length

/** The scheme and value of an identifier; undefined for other keys. */
export function identifierIn(key: string): { readonly scheme: string; readonly value: string } | undefined {
  if (!isIdentifier(key)) return undefined
  const rest = valueIn(key)
  const end = rest.indexOf(':')
  return { scheme: rest.slice(0, end), value: rest.slice(end + 1) }
}

/** Kind and value of a key, for users. */
export function describeKey(key: string): { readonly kind: KeyKind; readonly value: string } {
  const kind = kindOf(key) as KeyKind
  switch (kind) {
    case 'assigned':
      return { kind, value: key.slice(kind.length + 1) }
    case 'id':
      return { kind, value: identifierIn(key)?.value ?? '' }
    case 'names':
      return { kind, value: valueIn(key).replace('|', ' / ') }
    case 'content':
      // The hash of the observables says nothing to users.
      return { kind, value: valueIn(key).replace(/\|[0-9a-f]{32}$/, '') }
    default:
      return { kind, value: valueIn(key) }
  }
}

/** A value that is short enough for a key: equal for equal values. */
export function shortened(value: string): string {
  if (value.length <= MAX_VALUE) return value
  // Half a surrogate pair cannot be stored.
  const start = value.slice(0, SHOWN).replace(/[\ud800-\udbff]$/, '')
  return `${start}…${digest(value)}`
}

/** A short hash of a text. */
export const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)

const kindOf = (key: string): string => key.slice(0, key.indexOf(':'))

const valueIn = (key: string): string => key.slice(key.indexOf(':', key.indexOf(':') + 1) + 1)
