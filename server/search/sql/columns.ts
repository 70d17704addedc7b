import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { wireTime } from '../../engine/document.ts'
import type { Search, SearchField } from './compile.ts'
import { documentPart, hasValue } from './data-field.ts'
import { isPlain, type Leaf, matchesNumber, matchesText, matchesTime, numbersOf, testOf, timeOf } from './leaf.ts'
import { ALL, condition, NONE, type Part, some } from './parts.ts'

/** Wraps the search of a field that needs no look-ups. */
export const ready =
  (find: (leaf: Leaf) => Part) =>
  (leaf: Leaf): (() => Part) => {
    const part = find(leaf)
    return () => part
  }

/** A field that does not exist. */
export const nothing: SearchField = { find: () => () => NONE, exists: NONE }

/** Search fields by name. */
export type NamedFields = Readonly<Record<string, (search: Search) => SearchField>>

/** The field with this name, or otherwise the path with this name in one of these documents of the row `t`. */
export function fieldOrPlace(
  fields: NamedFields,
  documents: readonly string[],
  search: Search,
  name: string,
): SearchField {
  const known = Object.hasOwn(fields, name) ? fields[name]?.(search) : undefined
  if (known) return known
  const document = documents.find((each) => name.startsWith(`${each}.`))
  if (document === undefined) return nothing
  return documentPath(sql.ref(`t.${document}`), search, name.slice(document.length + 1))
}

/** A field with a fixed set of values. */
export const chosen = <V extends string>(
  values: readonly V[],
  isOne: (values: readonly V[]) => RawBuilder<SqlBool>,
): SearchField => ({
  find: ready((leaf) => {
    const found = values.filter(testOf(leaf))
    return found.length === 0 ? NONE : condition(isOne(found))
  }),
  exists: condition(isOne(values)),
})

/** A time in a column of the row `t`, or given by an expression. */
export const time = (column: string | RawBuilder<unknown>, { now }: Search, isNullable = false): SearchField => {
  const own = typeof column === 'string' ? sql.ref(`t.${column}`) : column
  return {
    find: ready((leaf) => {
      const wanted = timeOf(leaf, now)
      if (wanted) return condition(matchesTime(wanted, own))
      const isPattern = ['prefix', 'wildcard', 'regexp', 'fuzzy'].includes(leaf.kind)
      return isPattern ? condition(matchesText(leaf, sql`folded(${wireTime(own)})`)) : NONE
    }),
    exists: isNullable ? condition(sql`${own} is not null`) : ALL,
  }
}

export const number = (expression: RawBuilder<unknown>, exists: Part = ALL): SearchField => ({
  find: ready((leaf) => {
    const wanted = numbersOf(leaf)
    return wanted ? condition(matchesNumber(wanted, expression)) : NONE
  }),
  exists,
})

const MAX_INTEGER = 2 ** 31 - 1

/** An integer in a column. The condition uses integers, so that the planner can use the statistics of the column. */
export const integer = (column: string): SearchField => ({
  find: ready((leaf) => {
    const wanted = numbersOf(leaf)
    if (!wanted) return NONE
    const { from, to, includesFrom, includesTo } = wanted
    const low = from === null ? -MAX_INTEGER : includesFrom ? Math.ceil(from) : Math.floor(from) + 1
    const high = to === null ? MAX_INTEGER : includesTo ? Math.floor(to) : Math.ceil(to) - 1
    const ends = [Math.max(low, -MAX_INTEGER), Math.min(high, MAX_INTEGER)] as const
    if (ends[0] > ends[1]) return NONE
    return condition(sql`${sql.ref(`t.${column}`)} between ${ends[0]}::integer and ${ends[1]}::integer`)
  }),
  exists: ALL,
})

export const text = (expression: RawBuilder<unknown>, exists: Part = ALL): SearchField => ({
  find: ready((leaf) => condition(matchesText(leaf, sql`folded(${expression})`))),
  exists,
})

export const boolean = (expression: RawBuilder<unknown>): SearchField => ({
  find: ready((leaf) => {
    const test = isPlain(leaf) ? testOf(leaf) : () => false
    return some([
      test('true') ? condition(sql`${expression}`) : NONE,
      test('false') ? condition(sql`not ${expression}`) : NONE,
    ])
  }),
  exists: ALL,
})

/** A path in a document that is not in the search index. */
export const documentPath = (document: RawBuilder<unknown>, { now }: Search, path: string): SearchField => ({
  find: ready((leaf) => documentPart(document, path, leaf, now)),
  exists: condition(sql`(${hasValue(document, path, sql`true`)} or
    jsonb_path_exists(${document} #> ${path.split('.')}::text[], ${ANY_VALUE}::jsonpath))`),
})

const ANY_VALUE = `lax $.** ? (@.type() == "string" && @ != "" || @.type() == "number" || @.type() == "boolean")`
