import { entityTypeName } from '../../domain/entity-types.ts'
import { CONSOLIDATED_TYPES, type HalfLifeChoice, type TlpChoice } from './policy.ts'

/** The number of types that are named before the rest is counted. */
const MAX_NAMED = 3

/** An option of a choice, with what it means. */
export interface Choice<T extends string> {
  readonly value: T
  readonly label: string
  readonly meaning: string
}

/** Where the half-life of a unified entity comes from. */
export const HALF_LIFE_CHOICES: readonly Choice<HalfLifeChoice>[] = [
  {
    value: 'highest',
    label: 'Longest',
    meaning: 'The longest half-life of all contributors: it stays relevant as long as any of them.',
  },
  {
    value: 'lowest',
    label: 'Shortest',
    meaning: 'The shortest half-life of all contributors: it loses relevance as soon as the first of them.',
  },
  { value: 'latest', label: 'Latest', meaning: 'The half-life of the contributor that was updated last.' },
  {
    value: 'preferred_source',
    label: 'Preferred source',
    meaning:
      'The half-life of the contributor from the preferred source, or else of the most reliable one that has one.',
  },
]

/** Where the TLP colour of a unified entity comes from. */
export const TLP_CHOICES: readonly Choice<TlpChoice>[] = [
  {
    value: 'highest',
    label: 'Most restrictive',
    meaning: 'The most restrictive colour of all contributors, so that all of them contribute.',
  },
  {
    value: 'lowest',
    label: 'Least restrictive',
    meaning: 'The least restrictive colour of all contributors. More restrictive contributors contribute nothing.',
  },
  {
    value: 'preferred_source',
    label: 'Preferred source',
    meaning:
      'The colour of the contributor from the preferred source, or else the most restrictive one. More restrictive contributors contribute nothing.',
  },
]

/** The option of a choice with a value. */
export const choiceOf = <T extends string>(choices: readonly Choice<T>[], value: T): Choice<T> | undefined =>
  choices.find((each) => each.value === value)

/** What a preferred source, or none, means for the fields of a unified entity. */
export const preferenceInWords = (source: string | undefined): string =>
  source === undefined
    ? 'Each field comes from the most reliable source that has it, then from the highest confidence, then from the latest update.'
    : `Each field comes from ${source} if it has it, otherwise from the most reliable source.`

/** The types of several configurations in a few words. */
export function typesInWords(configurations: readonly { readonly entity_types: readonly string[] }[]): string {
  const types = [...new Set(configurations.flatMap(({ entity_types }) => entity_types))].map(entityTypeName).sort()
  if (types.length === CONSOLIDATED_TYPES.length) return 'All types'
  const named = types.length > MAX_NAMED + 1 ? types.slice(0, MAX_NAMED) : types
  const rest = types.length - named.length
  return rest > 0 ? `${named.join(', ')} and ${rest} more` : named.join(', ')
}

const NOUNS: Readonly<Record<string, string>> = {
  title: 'title',
  names: 'pair of names',
  id: 'external id',
  pattern: 'STIX pattern',
  content: 'title and observables',
  place: 'place',
  name: 'name',
}

interface SwitchedOff {
  readonly kind: string
  readonly members: number
}

/** Why a key no longer joins entities. */
export const whySwitchedOff = ({ kind, members }: SwitchedOff): string =>
  `${members.toLocaleString('en')} entities share this ${NOUNS[kind] ?? kind}. That is too many for it to mean that they are the same.`

/** Keys without shared names that are listed as a title as well. */
export function distinctKeys<K extends { readonly kind: string; readonly value: string | null }>(
  keys: readonly K[],
): readonly K[] {
  const titles = new Set(keys.filter(({ kind }) => kind === 'title').map(({ value }) => value))
  return keys.filter(({ kind, value }) => kind !== 'name' || !titles.has(value))
}

const REMEDIES: Readonly<Record<string, string>> = {
  title: 'If it is a placeholder such as “Unknown”, give the entities real titles at their source.',
  names: 'Remove the name from the entities that do not have it.',
  name: 'Remove the name from the entities that do not have it.',
  id: 'Check whether a source sets the same external id on all of its entities, and correct it there.',
  pattern: 'Check whether a source publishes the same pattern again and again, and delete the copies.',
  content: 'Check whether a source publishes the same indicator again and again, and delete the copies.',
  place: 'Give the locations a country code or a more exact title.',
}

/** What to do about a key that no longer joins entities. */
export const remedyOf = ({ kind }: Pick<SwitchedOff, 'kind'>): string =>
  `${REMEDIES[kind] ?? 'Check the entities that share it.'} Entities that belong together can be consolidated by hand. The key is used again when fewer entities share it.`
