import { z } from 'zod'
import { OBSERVABLE_TYPES } from '../../../../domain/observables/types.ts'
import { string } from '../../../../engine/field.ts'
import type { EnricherFunction, Finding, TableHit } from '../../function.ts'
import { rangeOf } from '../../tables/address-ranges.ts'
import { textIn } from './row-values.ts'
import { findAnyWay } from './subject-keys.ts'
import { tableFunction, verdictOn, verdictParameter } from './table-function.ts'

const MAX_ITEMS = 20
const VERDICTS = ['safe', 'low', 'medium', 'high'] as const

const link = z.object({
  column: string(1, 200),
  type: z.enum(OBSERVABLE_TYPES as [string, ...string[]]),
  relation: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words with hyphens'),
})

const parameters = {
  verdict: verdictParameter(null),
  verdict_column: string(0, 200)
    .default('')
    .meta({ title: 'Verdict column', description: 'A column with safe, low, medium or high.' }),
  reason: string(0, 500).default('').meta({ title: 'Reason', description: 'The reason of the verdict.' }),
  tags: z
    .array(string(1, 500))
    .max(MAX_ITEMS)
    .default([])
    .meta({ title: 'Tags', description: 'Tags of observables that the table lists.' }),
  columns: z
    .array(string(1, 200))
    .max(MAX_ITEMS)
    .default([])
    .meta({ title: 'Columns', description: 'Columns that are shown as tags: `column:value`.' }),
  links: z
    .array(link)
    .max(MAX_ITEMS)
    .default([])
    .meta({ title: 'Links', description: 'Columns that name other observables, with their type and relation.' }),
  match_parents: z.boolean().default(true).meta({
    title: 'Parent domains',
    description: 'Whether a listed domain also stands for its subdomains, and hosts for their URIs.',
  }),
}

/** A function for a table of the organisation itself, such as a block list or a list of assets. */
export const ownTable = (name: string): EnricherFunction =>
  tableFunction({
    table: name,
    title: `Own table: ${name}`,
    description: 'Finds observables that the table lists: as they are, by parent domains, and by networks.',
    supportedTypes: OBSERVABLE_TYPES,
    load: `Load the content of the table \`${name}\`.`,
    parameters,
    find: findAnyWay,
    read: ({ hits: all, subject, table, parameters: given }) => {
      const hits = given.match_parents ? all : all.filter((hit) => isItself(hit, subject.value))
      if (hits.length === 0) return { findings: [] }
      const stated =
        given.verdict_column === '' ? [] : hits.flatMap(({ row }) => textIn(row, given.verdict_column) ?? [])
      const verdict = VERDICTS.findLast((level) => stated.some((text) => text.toLowerCase() === level))
      const other = stated.filter((text) => !(VERDICTS as readonly string[]).includes(text.toLowerCase()))
      const reason = given.reason || `Listed as ${hits[0]?.key} in the table '${table}'.`
      const findings: Finding[] = [
        ...verdictOn(verdict ?? given.verdict, reason),
        ...given.tags.map((value) => ({ kind: 'tag', value }) as const),
        ...hits.flatMap(({ row }) => given.columns.flatMap((column) => tagOf(row, column))),
        ...hits.flatMap(({ row }) => given.links.flatMap((each) => linkOf(row, each))),
      ]
      const warnings =
        other.length > 0 ? [`'${other[0]?.slice(0, 100)}' is not a verdict: ${VERDICTS.join(', ')}.`] : []
      // That it is listed is something, also if nothing is to be shown of it.
      return { findings: findings.length > 0 ? findings : [{ kind: 'tag', value: `listed:${table}` }], warnings }
    },
  })

/** Networks always stand for the addresses in them. */
const isItself = ({ key }: TableHit, value: string): boolean =>
  key === value.toLowerCase() || rangeOf(key) !== undefined

const tagOf = (row: TableHit['row'], column: string): Finding[] => {
  const text = textIn(row, column)
  return text === undefined ? [] : [{ kind: 'tag', value: `${column}:${text}` }]
}

function linkOf(row: TableHit['row'], { column, type, relation }: z.output<typeof link>): Finding[] {
  const value = textIn(row, column)
  return value === undefined ? [] : [{ kind: 'link', relation, observable: { type, value } }]
}
