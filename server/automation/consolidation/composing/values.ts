import { isDeepStrictEqual } from 'node:util'
import { textFrom } from '../../../domain/text-from.ts'
import { parseTimestamp } from '../../../domain/timestamp.ts'
import { canonicalJson } from '../../../formats/stix2/canonical-json.ts'
import { type Choices, type Contributor, compareTexts, decide } from './contributor.ts'
import type { FieldOrigin, Rule } from './provenance.ts'

/** A value of a contributor. */
export interface Said {
  readonly by: Contributor
  readonly value: unknown
}

/** A value of a unified entity and where it comes from. */
export interface Found {
  readonly value: unknown
  readonly origin: FieldOrigin
}

/** Whether a value says nothing. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true
  if (typeof value === 'string') return value.trim() === ''
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** The values of contributors that are not empty, in their order. */
export const saidBy = (contributors: readonly Contributor[], read: (contributor: Contributor) => unknown): Said[] =>
  contributors.map((by) => ({ by, value: read(by) })).filter(({ value }) => !isEmpty(value))

/** The first value. The contributors are in the order of precedence. */
export function firstOf(said: readonly Said[], choices: Choices): Found | undefined {
  const [winner] = said
  if (!winner) return undefined
  return { value: winner.value, origin: { from: [winner.by.id], rule: whyFirst(winner, said, choices) } }
}

function whyFirst(winner: Said, said: readonly Said[], choices: Choices): Rule {
  if (said.length === 1) return 'only'
  const other = said.find(({ value }) => !isDeepStrictEqual(value, winner.value))
  return other ? (decide(winner.by, other.by, choices)?.[0] ?? 'stix_id') : 'agreed'
}

/** The earliest or latest of times, as it was written. */
export function extremeTime(said: readonly Said[], rule: 'earliest' | 'latest'): Found | undefined {
  const sign = rule === 'earliest' ? 1 : -1
  const sorted = said.toSorted(
    (a, b) =>
      sign * compareTexts(momentOf(a.value), momentOf(b.value)) || compareTexts(textFrom(a.value), textFrom(b.value)),
  )
  return whoSaid(sorted[0], said, rule)
}

const momentOf = (time: unknown): string => parseTimestamp(textFrom(time)) ?? textFrom(time)

/** The highest or lowest of numbers. */
export function extremeNumber(said: readonly Said[], rule: 'highest' | 'lowest'): Found | undefined {
  const sign = rule === 'highest' ? -1 : 1
  return whoSaid(said.toSorted((a, b) => sign * (Number(a.value) - Number(b.value)))[0], said, rule)
}

/** A value with all contributors that have it. */
function whoSaid(chosen: Said | undefined, said: readonly Said[], rule: Rule): Found | undefined {
  if (!chosen) return undefined
  const from = said.filter(({ value }) => value === chosen.value).map(({ by }) => by.id)
  return { value: chosen.value, origin: { from, rule: said.length === 1 ? 'only' : rule } }
}

/** What a list of a unified entity can have at most. What the first contributors say is kept. */
export interface Bounds {
  readonly items: number
  readonly bytes: number
}

/**
 * Everything that lists contain, in a canonical order: the same contributors always give the same list. Items with the same key are one,
 * and the first contributor's form of it is kept.
 */
export function unionOf(
  said: readonly Said[],
  bounds: Bounds,
  keyOf: (item: unknown) => string = canonicalJson,
): Found | undefined {
  if (said.length === 0) return undefined
  const items = new Map<string, string>()
  const leftOut = new Set<string>()
  let bytes = 0
  for (const { value } of said) {
    for (const [key, text] of keyed(value as readonly unknown[], keyOf)) {
      if (items.has(key)) continue
      if (items.size >= bounds.items || bytes + text.length > bounds.bytes) {
        leftOut.add(key)
        continue
      }
      bytes += text.length
      items.set(key, text)
    }
  }
  const value = [...items.values()].sort(compareTexts).map((text): unknown => JSON.parse(text))
  const from = said.map(({ by }) => by.id)
  return {
    value,
    origin: { from, rule: said.length === 1 ? 'only' : 'union', ...(leftOut.size > 0 && { left_out: leftOut.size }) },
  }
}

/** The items of one list in a canonical order, so that among equal keys it does not matter how the contributor sorted them. */
const keyed = (list: readonly unknown[], keyOf: (item: unknown) => string): (readonly [string, string])[] =>
  list
    .map((item) => [keyOf(item), canonicalJson(item)] as const)
    .sort((a, b) => compareTexts(a[0], b[0]) || compareTexts(a[1], b[1]))
