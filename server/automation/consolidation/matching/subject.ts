import { identifiersOf } from './external-ids.ts'
import { digest, identifierKey, keyOf, MATCHED_TYPES } from './keys.ts'
import { isTelling, namesOf, normalisedName, normalisedTitle, withoutCase } from './names.ts'
import { normalisedPattern } from './patterns.ts'
import { placeOf } from './places.ts'

/** An entity, as far as it is compared. */
export interface Comparable {
  readonly id: string
  readonly stix_id: string
  readonly type: string
  /** The number of its source. */
  readonly source: number
  readonly data: Readonly<Record<string, unknown>>
  /** The title that analysts gave it. */
  readonly alias?: string | undefined
  /** The ids of its observables. */
  readonly observables: readonly number[]
}

/** What an entity is compared by. */
export interface Subject {
  readonly entity: string
  readonly stixId: string
  readonly type: string
  readonly source: number
  /** The title without case. A source that spells two titles differently keeps the entities apart, also if the titles are otherwise equal. */
  readonly title: string
  /** Sorted, without duplicates. */
  readonly keys: readonly string[]
}

/** Returns what an entity is compared by. Entities of types that are not consolidated have no keys. */
export function subjectOf(entity: Comparable): Subject {
  const { type, data } = entity
  const title = String(data.title ?? '')
  const isMatched = (MATCHED_TYPES as readonly string[]).includes(type)
  const keys = isMatched ? keysOf(entity, normalisedTitle(type, title)) : []
  return {
    entity: entity.id,
    stixId: entity.stix_id,
    type,
    source: entity.source,
    title: withoutCase(title),
    keys: [...new Set(keys)].sort(),
  }
}

function keysOf(entity: Comparable, title: string): string[] {
  const { type, data } = entity
  const names = namesOf(type, data, entity.alias)
  const identifiers = identifiersOf(type, data)
  // Catalogues that merge groups list the ids of all of them among the names.
  const known = identifiers.filter(({ scheme }) => scheme === 'attack').map(({ value }) => normalisedName(value))
  return [
    ...identifiers.map(({ scheme, value }) => identifierKey(type, scheme, value)),
    ...ownKeys(entity, title, names),
    ...[...names, ...known].map((name) => keyOf('name', type, name)),
  ]
}

/** The strong keys that differ between types. */
function ownKeys(entity: Comparable, title: string, names: readonly string[]): string[] {
  switch (entity.type) {
    case 'exploit-target':
      return []
    case 'indicator':
      return indicatorKeys(entity, title)
    case 'location':
      return locationKeys(entity, title)
    case 'identity':
      // Different people have the same name.
      return entity.data.identity_class === 'individual' ? [] : titleKeys(entity.type, title, names)
    default:
      return titleKeys(entity.type, title, names)
  }
}

/** Two entities share a pair of names if each has the title of the other among its names. */
function titleKeys(type: string, title: string, names: readonly string[]): string[] {
  if (!isTelling(type, title)) return []
  const pairs = names.filter((name) => name !== title).map((name) => [title, name].sort().join('|'))
  return [keyOf('title', type, title), ...pairs.map((pair) => keyOf('names', type, pair))]
}

function indicatorKeys({ type, data, observables }: Comparable, title: string): string[] {
  const pattern = normalisedPattern(data)
  const ids = [...new Set(observables)].sort((a, b) => a - b)
  return [
    ...(pattern === '' ? [] : [keyOf('pattern', type, pattern)]),
    ...(ids.length === 0 || title === '' ? [] : [keyOf('content', type, `${title}|${digest(ids.join())}`)]),
  ]
}

function locationKeys({ type, data }: Comparable, title: string): string[] {
  const { country, kind } = placeOf(data, title)
  if (country !== undefined) return [identifierKey(type, 'country', country)]
  return kind === undefined || !isTelling(type, title) ? [] : [keyOf('place', type, `${title} (${kind})`)]
}
