import type { Clause, Occur, Query, Range } from '../../server/search/query/ast.ts'
import { foldCase, splitWords } from '../../server/search/words.ts'
import { type Interval, intervalOf, momentOf } from './dates.ts'
import { type Leaf, type Searchable, TEXT_FIELDS } from './entity.ts'
import { editsBetween, luceneExpression, wildcardExpression } from './patterns.ts'

/** The fields that are searched by a query without a field. */
const DEFAULT_FIELDS = [
  'data.title',
  'meta.alias',
  'data.description',
  'data.short_description',
  'tags',
  'extracts.value',
] as const

/** Whether an entity matches a query, evaluated in the simplest way: the reference for the search. */
export function evaluate(query: Query, entity: Searchable, now: Date): boolean {
  if (query.kind === 'all') return true
  if (query.kind === 'boost') return evaluate(query.query, entity, now)
  if (query.kind === 'exists') return exists(entity, query.field)
  if (query.kind === 'bool') {
    const those = (occur: Occur) => query.clauses.filter((clause) => clause.occur === occur)
    const matches = (clause: Clause) => evaluate(clause.query, entity, now)
    const [must, should, mustNot] = [those('must'), those('should'), those('must_not')]
    const isChosen = must.length > 0 || should.length === 0 || should.some(matches)
    return isChosen && must.every(matches) && !mustNot.some(matches)
  }
  const fields = query.field === null ? DEFAULT_FIELDS : fieldsOf(entity, query.field)
  return fields.some((field) => {
    if (query.kind === 'range' && query.from === null && query.to === null) return exists(entity, field)
    return TEXT_FIELDS.has(field) ? matchesTexts(query, entity, field) : matchesLeaves(query, entity, field, now)
  })
}

/** The fields that match a name with wildcards. */
function fieldsOf({ leaves, texts }: Searchable, name: string): readonly string[] {
  if (!name.includes('*')) return [name]
  const pattern = new RegExp(`^${name.split('*').map(RegExp.escape).join('.*')}$`)
  return [...leaves.keys(), ...texts.keys()].filter((field) => pattern.test(field))
}

/** The queries that search a field. */
type FieldQuery = Exclude<Query, { kind: 'all' | 'boost' | 'exists' | 'bool' }>

function exists({ leaves, texts }: Searchable, field: string): boolean {
  if (TEXT_FIELDS.has(field)) return texts.has(field)
  if (field === 'relevancy') return leaves.has('meta.estimated_threat_start_time')
  return [...leaves.keys(), ...texts.keys()].some((path) => path === field || path.startsWith(`${field}.`))
}

function matchesTexts(query: FieldQuery, entity: Searchable, field: string): boolean {
  const texts = entity.texts.get(field) ?? []
  if (texts.length === 0) return false
  if (query.kind === 'term' || query.kind === 'phrase') {
    const phrase = splitWords(query.text)
    return texts.some((words) => hasPhrase(words, phrase, query.kind === 'phrase' ? query.slop : 0))
  }
  if (query.kind === 'range') return texts.some((words) => words.some((word) => isBetween(word, query)))
  const matches = matcherOf(query)
  return texts.some((words) => words.some(matches))
}

/** Whether words occur in a text in this order, with at most this many moves between them. */
export function hasPhrase(words: readonly string[], phrase: readonly string[], slop: number): boolean {
  if (phrase.length === 0) return false
  // The positions of the words in the text, and their offsets from the positions in the phrase, which are all equal in an exact match.
  const place = (index: number, taken: readonly number[], least: number, most: number): boolean => {
    if (most - least > slop) return false
    if (index === phrase.length) return true
    return words.some((word, position) => {
      if (word !== phrase[index] || taken.includes(position)) return false
      const offset = position - index
      return place(index + 1, [...taken, position], Math.min(least, offset), Math.max(most, offset))
    })
  }
  return place(0, [], Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY)
}

/** The queries that match one word, or one whole value. */
type PatternQuery = Extract<FieldQuery, { kind: 'prefix' | 'wildcard' | 'regexp' | 'fuzzy' }>

// Each query is evaluated for every entity of a world, and compiling an expression takes longer than running it.
const matchers = new WeakMap<PatternQuery, (folded: string) => boolean>()

/** Returns a function that tests a folded word or value. */
function matcherOf(query: PatternQuery): (folded: string) => boolean {
  const matcher = matchers.get(query) ?? makeMatcher(query)
  matchers.set(query, matcher)
  return matcher
}

function makeMatcher(query: PatternQuery): (folded: string) => boolean {
  if (query.kind === 'prefix') {
    const start = foldCase(query.text)
    return (folded) => folded.startsWith(start)
  }
  if (query.kind === 'fuzzy') {
    const text = foldCase(query.text)
    return (folded) => isAboutAsLong(folded, text) && editsBetween(folded, text) <= query.edits
  }
  const expression = query.kind === 'wildcard' ? wildcardExpression(query.pattern) : luceneExpression(query.pattern)
  return (folded) => expression.test(folded)
}

/** Avoids computing the distance: two edits change the length by at most two characters of two units each. */
const isAboutAsLong = (one: string, other: string): boolean => Math.abs(one.length - other.length) <= 4

function matchesLeaves(query: FieldQuery, entity: Searchable, field: string, now: Date): boolean {
  const leaves = field === 'relevancy' ? relevancyOf(entity, now) : (entity.leaves.get(field) ?? [])
  if (leaves.length === 0) return false
  if (query.kind === 'term' || query.kind === 'phrase') return leaves.some((leaf) => isEqual(leaf, query.text, now))
  if (query.kind === 'range') return leaves.some((leaf) => isInRange(leaf, query, now))
  const matches = matcherOf(query)
  return leaves.some((leaf) => typeof leaf === 'string' && matches(foldCase(leaf)))
}

/** The relevancy of an entity now. It changes with time, so a response cannot be used. */
function relevancyOf({ leaves }: Searchable, now: Date): number[] {
  const [start] = leaves.get('meta.estimated_threat_start_time') ?? []
  const [halfLife] = leaves.get('meta.half_life') ?? []
  const moment = typeof start === 'string' ? momentOf(start) : undefined
  if (moment === undefined || typeof halfLife !== 'number') return []
  const days = Math.max(now.getTime() - moment, 0) / 86_400_000
  return [2 ** -Math.min(days / halfLife, 1000)]
}

function isEqual(leaf: Leaf, text: string, now: Date): boolean {
  if (text === '') return false
  if (typeof leaf === 'number') return leaf === numberOf(text)
  if (foldCase(String(leaf)) === foldCase(text)) return true
  const moment = typeof leaf === 'string' ? momentOf(leaf) : undefined
  const interval = intervalOf(text, now)
  return moment !== undefined && interval !== undefined && moment >= interval.start && moment < interval.end
}

const numberOf = (text: string): number | undefined =>
  /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : undefined

function isInRange(leaf: Leaf, range: Range, now: Date): boolean {
  if (typeof leaf === 'boolean') return false
  if (typeof leaf === 'number') return isNumberBetween(leaf, range)
  const moment = momentOf(leaf)
  return moment === undefined ? isBetween(foldCase(leaf), range) : isMomentBetween(moment, range, now)
}

function isNumberBetween(leaf: number, { from, to, includesFrom, includesTo }: Range): boolean {
  const isAbove = (end: number | undefined) => end !== undefined && (includesFrom ? leaf >= end : leaf > end)
  const isBelow = (end: number | undefined) => end !== undefined && (includesTo ? leaf <= end : leaf < end)
  return (from === null || isAbove(numberOf(from))) && (to === null || isBelow(numberOf(to)))
}

function isMomentBetween(leaf: number, { from, to, includesFrom, includesTo }: Range, now: Date): boolean {
  const isAfter = (end: Interval | undefined) => end !== undefined && leaf >= (includesFrom ? end.start : end.end)
  const isBefore = (end: Interval | undefined) => end !== undefined && leaf < (includesTo ? end.end : end.start)
  return (from === null || isAfter(intervalOf(from, now))) && (to === null || isBefore(intervalOf(to, now)))
}

function isBetween(folded: string, { from, to, includesFrom, includesTo }: Range): boolean {
  const isAbove = (order: number) => order > 0 || (includesFrom && order === 0)
  const isBelow = (order: number) => order < 0 || (includesTo && order === 0)
  return (
    (from === null || isAbove(compareCharacters(folded, foldCase(from)))) &&
    (to === null || isBelow(compareCharacters(folded, foldCase(to))))
  )
}

/** Orders two texts by code points. JavaScript compares code units, which differs beyond the 16th bit. */
export function compareCharacters(one: string, other: string): number {
  const [a, b] = [[...one], [...other]]
  const index = a.findIndex((character, i) => character !== b[i])
  if (index < 0) return a.length - b.length
  const [first, second] = [a[index]?.codePointAt(0) ?? 0, b[index]?.codePointAt(0) ?? -1]
  return first - second
}
