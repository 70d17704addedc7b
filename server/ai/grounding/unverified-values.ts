import { findAttackIds } from '../../formats/text/attack-ids.ts'
import { extractObservables, MAX_OBSERVABLES } from '../../formats/text/extract-observables.ts'

/** A value that a model wrote although it occurs in nothing that it was given, and its place in the text. */
export interface UnverifiedValue {
  readonly value: string
  readonly start: number
  readonly end: number
}

/** A value may be written in several ways, of which each round finds one. */
const MAX_ROUNDS = 8
/** The most values of a generated text in one round. */
const MAX_VALUES = 1_000

/**
 * Finds the addresses, domains, hashes, CVEs, technique ids and other values of a generated text that occur in no input. Defanged and
 * normal spellings are the same value. Every occurrence is returned, in order: one that is not marked would look as if it was checked.
 */
export function unverifiedValues(generated: string, inputs: readonly string[]): readonly UnverifiedValue[] {
  if (placesIn(generated, 1).length === 0) return []
  const known = new Set(inputs.flatMap(valuesIn))
  const unverified: UnverifiedValue[] = []
  let rest = generated
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const places = placesIn(rest, MAX_VALUES)
    if (places.length === 0) break
    const repeats = places.flatMap((place) => repeatsOf(place, rest))
    unverified.push(...repeats.filter(({ value }) => !known.has(keyOf(value))))
    rest = blanked(rest, repeats)
  }
  return withoutOverlaps(unverified)
}

/** The first place of each value, and all places of technique ids. */
const placesIn = (text: string, limit = MAX_OBSERVABLES): UnverifiedValue[] => [
  ...extractObservables(text, { limit }).map(({ value, start, end }) => ({ value, start, end })),
  ...findAttackIds(text).map(({ id, start, end }) => ({ value: id, start, end })),
]

/** All values of a text, with those that they contain. */
function valuesIn(text: string): string[] {
  const values = placesIn(text).flatMap(({ value }) => {
    const key = keyOf(value)
    return [key, ...partsOf(key)]
  })
  return [...new Set(values)]
}

const keyOf = (value: string): string => value.toLowerCase()

/** The host of a URL, the domain of an e-mail address, the address of a network, and the technique of a sub-technique. */
function partsOf(value: string): string[] {
  const host = /^[a-z][a-z\d+.-]*:\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)/.exec(value)?.[1]
  const technique = /^(t\d{4})\.\d{3}$/.exec(value)?.[1]
  const [network, ...rest] = value.split('/')
  const domain = value.includes('@') ? value.slice(value.lastIndexOf('@') + 1) : undefined
  return [host?.replace(/^\[|\]$/g, ''), technique, rest.length === 1 ? network : undefined, domain].filter(
    (part) => part !== undefined && part !== '',
  ) as string[]
}

/** All places with the same spelling. */
function repeatsOf({ value, start, end }: UnverifiedValue, text: string): UnverifiedValue[] {
  const spelling = text.slice(start, end)
  const places: UnverifiedValue[] = []
  for (let at = text.indexOf(spelling, start); at >= 0; at = text.indexOf(spelling, at + spelling.length)) {
    const isPart = isWord(text.charAt(at - 1)) || isWord(text.charAt(at + spelling.length))
    if (at === start || !isPart) places.push({ value, start: at, end: at + spelling.length })
  }
  return places
}

const isWord = (character: string): boolean => /^[\p{L}\p{N}-]$/u.test(character)

/** The text with these places replaced by spaces, so that other spellings of their values are found next. */
function blanked(text: string, places: readonly UnverifiedValue[]): string {
  const characters = text.split('')
  for (const { start, end } of places) characters.fill(' ', start, end)
  return characters.join('')
}

/** The larger of two values at one place, such as a URL rather than its domain. */
function withoutOverlaps(values: readonly UnverifiedValue[]): UnverifiedValue[] {
  const kept: UnverifiedValue[] = []
  for (const each of [...values].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (each.start >= (kept.at(-1)?.end ?? 0)) kept.push(each)
  }
  return kept
}
