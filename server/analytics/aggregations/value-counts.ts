import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../engine/context.ts'
import type { Resource } from '../../engine/definition.ts'
import { badRequest } from '../../engine/errors.ts'
import type { ListPlan } from '../../engine/list-plan.ts'
import { planList } from '../../engine/query.ts'
import type { Incoming, Route } from '../../engine/route.ts'
import { and, matches, remaining, visible } from '../../engine/select.ts'
import type { Described } from '../../http/openapi/describe.ts'
import { listParameters } from '../../http/openapi/parameters.ts'
import { compileQuery, type SearchFields } from '../../search/sql/compile.ts'
import { findMostFrequent } from '../aggregating/most-frequent.ts'
import type { Values } from '../aggregating/values.ts'

const MAX_FIELDS = 20

interface Plan {
  readonly fields: readonly string[]
  readonly list: ListPlan
}

const record = z.object({
  count: z.int().describe('The number of objects with this value.'),
  field: z.string(),
  value: z.string().describe('For a time its day; for a text its first 1,000 characters.'),
})
type CountRecord = z.output<typeof record>

interface Counted {
  readonly resource: Resource
  readonly search: SearchFields
  /** The name of the operation, and what is counted. */
  readonly name: string
  readonly things: string
  readonly path: string
  readonly permission: string
  guards?(fields: readonly string[]): readonly string[]
  /** The values of the rows `t` in a field; undefined if the field does not exist. */
  valuesOf(ctx: Context, field: string): Values | undefined
}

/** Counts the most frequent values of several fields, among visible objects. */
export function defineValueCounts(counted: Counted): Route<Plan, CountRecord[]> {
  const { resource, name, things, path, permission, guards = () => [] } = counted
  const doc: Described = {
    operationId: name,
    summary: `Count the values of ${things} in some fields, the most frequent first`,
    tag: 'aggregations',
    query: [
      {
        name: 'fields',
        schema: { type: 'string' },
        description: `Comma-separated names of up to ${MAX_FIELDS} fields, as in a query. Unknown fields have no values.`,
      },
      { name: 'query', schema: { type: 'string' }, description: `Only ${things} that match this query.` },
      ...listParameters(resource).filter(
        ({ name: own }) =>
          own === 'limit' || own === resource.search?.reduction?.parameter || own.startsWith('filter['),
      ),
    ],
    success: { 200: z.object({ data: z.array(record) }) },
    refusals: [400],
  }
  return {
    method: 'GET',
    path,
    permission,
    doc,
    parse: ({ query }) => ({ fields: readFields(query), list: planList(resource, query) }),
    guards: ({ fields }) => [...guards(fields)],
    run: (ctx, plan) => countValues(ctx, counted, plan),
    answer: (data) => ({ status: 200, body: { data } }),
  }
}

async function countValues(
  asked: Context,
  { resource, search, valuesOf }: Counted,
  { fields, list }: Plan,
): Promise<CountRecord[]> {
  const ctx = { ...asked, at: list.at }
  const found = list.query === null ? undefined : await compileQuery(ctx, search, list.query)
  const filtered = await Promise.all(list.filters.map((filter) => matches(ctx, resource, filter)))
  const matching = [...(found ? [found] : []), ...filtered]
  const where = and([visible(ctx, resource), ...matching, ...remaining(ctx, resource, list.reduction, matching)])
  const values = fields.map((name) => valuesOf(ctx, name))
  const rows = await findMostFrequent(ctx, { table: sql.table(resource.table), where }, values, list.limit)
  return rows.map(({ n, value, count }) => ({ count, field: fields[n] ?? '', value }))
}

function readFields({ fields = [] }: Incoming['query']): string[] {
  const names = [...new Set(fields.flatMap((list) => list.split(',')).map((name) => name.trim()))].filter(Boolean)
  if (names.length === 0) throw badRequest('fields: is required; name the fields whose values to count.')
  if (names.length > MAX_FIELDS) throw badRequest(`fields: must have at most ${MAX_FIELDS} names, not ${names.length}.`)
  if (names.some((name) => name.includes('\u0000'))) throw badRequest('fields: must not contain the NUL character.')
  return names
}
