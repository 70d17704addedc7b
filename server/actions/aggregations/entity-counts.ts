import { sql } from 'kysely'
import { z } from 'zod'
import { badRequest } from '../../engine/errors.ts'
import { type ListPlan, planList } from '../../engine/query.ts'
import type { Context } from '../../engine/resource.ts'
import type { Incoming, Route } from '../../engine/route.ts'
import { and, matches, visible } from '../../engine/select.ts'
import type { Described } from '../../openapi/describe.ts'
import { listParameters } from '../../openapi/parameters.ts'
import { findMostFrequent } from '../../resources/aggregating/most-frequent.ts'
import { byDay } from '../../resources/aggregating/readings.ts'
import { guardsOf, valuesOf } from '../../resources/aggregating/values.ts'
import { entities } from '../../resources/entities/entities.ts'
import { compileQuery } from '../../resources/searching/compile.ts'
import { entityFields } from '../../resources/searching/entity-fields.ts'

const MOST_FIELDS = 20

interface Plan {
  readonly fields: readonly string[]
  readonly list: ListPlan
}

const record = z.object({
  count: z.int().describe('How many of the entities have the value.'),
  field: z.string(),
  value: z.string().describe('Of a time the day; of a text its first 1,000 characters.'),
})
type CountRecord = z.output<typeof record>

const doc: Described = {
  operationId: 'count_entity_values',
  summary: 'Count the values that entities have in some fields, the most frequent first',
  tag: 'aggregations',
  query: [
    {
      name: 'fields',
      schema: { type: 'string' },
      description: `Comma-separated names of up to ${MOST_FIELDS} fields, as in a query. One that does not exist has no values.`,
    },
    { name: 'query', schema: { type: 'string' }, description: 'Only entities that this query finds.' },
    ...listParameters(entities).filter(({ name }) => name === 'limit' || name.startsWith('filter[')),
  ],
  success: { 200: z.object({ data: z.array(record) }) },
  refusals: [400],
}

/** The most frequent values of several fields, among the entities that the caller may see. */
export const countEntityValues: Route<Plan, CountRecord[]> = {
  method: 'GET',
  path: '/aggregations/entities/counts',
  permission: 'read entities',
  doc,
  parse: ({ query }) => ({ fields: readFields(query), list: planList(entities, query) }),
  guards: ({ fields }) => guardsOf(fields),
  run: countValues,
  answer: (data) => ({ status: 200, body: { data } }),
}

async function countValues(asked: Context, { fields, list }: Plan): Promise<CountRecord[]> {
  const ctx = { ...asked, at: list.at }
  const found = list.query === null ? undefined : await compileQuery(ctx, entityFields, list.query)
  const filtered = await Promise.all(list.filters.map((filter) => matches(ctx, entities, filter)))
  const where = and([visible(ctx, entities), ...(found ? [found] : []), ...filtered])
  const values = fields.map((name) => valuesOf(ctx, name, 'v', byDay))
  const rows = await findMostFrequent(ctx, { table: sql.table('entities'), where }, values, list.limit)
  return rows.map(({ n, value, count }) => ({ count, field: fields[n] ?? '', value }))
}

function readFields({ fields = [] }: Incoming['query']): string[] {
  const names = [...new Set(fields.flatMap((list) => list.split(',')).map((name) => name.trim()))].filter(Boolean)
  if (names.length === 0) throw badRequest('fields: is required; name the fields whose values are to be counted.')
  if (names.length > MOST_FIELDS) throw badRequest(`fields: ${names.length} are too many; ${MOST_FIELDS} are allowed.`)
  if (names.some((name) => name.includes('\u0000'))) throw badRequest('fields: the NUL character cannot be in a name.')
  return names
}
