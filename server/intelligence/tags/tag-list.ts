import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../engine/context.ts'
import { badRequest } from '../../engine/errors.ts'
import { readPage } from '../../engine/query.ts'
import type { Incoming, Route } from '../../engine/route.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import type { Described } from '../../http/openapi/describe.ts'

const SORTS: Record<string, RawBuilder<unknown>> = {
  name: sql`name collate "C"`,
  '-name': sql`name collate "C" desc`,
  count: sql`count`,
  '-count': sql`count desc`,
}

interface Plan {
  readonly patterns: readonly string[] | null
  readonly order: RawBuilder<unknown>
  readonly limit: number
  readonly offset: number
  readonly isCount: boolean
}

interface Tags {
  readonly total: number
  readonly data: readonly { readonly name: string; readonly count: number }[]
}

const integer = { type: 'integer' }
const doc: Described = {
  operationId: 'list_tags',
  summary: 'List the tags of all visible entities',
  tag: 'tags',
  query: [
    {
      name: 'filter[name]',
      schema: { type: 'array', items: { type: 'string' } },
      description:
        'Only tags whose name contains one of these values, ignoring case. A value with `*`, which matches any text, must match the whole name.',
    },
    { name: 'sort', schema: { type: 'string' }, description: `Comma-separated: ${Object.keys(SORTS).join(', ')}.` },
    { name: 'limit', schema: integer, description: 'Maximum number of items per page.' },
    { name: 'offset', schema: integer, description: 'Zero-based index of the first result.' },
    { name: 'data', schema: { type: 'boolean' }, description: 'When false, only the number of tags is returned.' },
  ],
  success: {
    200: z.object({
      count: z.int(),
      data: z.array(z.object({ name: z.string(), count: z.int().describe('The number of entities with the tag.') })),
      limit: z.int(),
      offset: z.int(),
      total_count: z.int(),
      cursor: z.null(),
    }),
  },
}

/** Lists the tags of visible entities. */
export const listTags: Route<Plan, Tags> = {
  method: 'GET',
  path: '/tags',
  permission: 'read entities',
  doc,
  parse: ({ query }) => readPlan(query),
  run: findTags,
  answer: ({ data, total }, _, { limit, offset, isCount }) => ({
    status: 200,
    body: isCount
      ? { total_count: total }
      : { count: data.length, data, limit, offset, total_count: total, cursor: null },
  }),
}

async function findTags(ctx: Context, { patterns, order, limit, offset }: Plan): Promise<Tags> {
  const isNamed = patterns ? sql`u.tag ilike any(${patterns}::text[])` : sql`true`
  const { rows } = await sql<Tags>`
    with found as materialized (
      select u.tag as name, count(*) as count
      from entities as t cross join unnest(t.tags) as u(tag)
      where ${visible(ctx, resourceOf(ctx, 'entities'))} and ${isNamed}
      group by u.tag
    )
    select (select count(*) from found) as total, (
      select coalesce(json_agg(p), '[]')
      from (select name, count from found order by ${order} limit ${limit} offset ${offset}) as p
    ) as data`.execute(ctx.db)
  return rows[0] ?? { total: 0, data: [] }
}

function readPlan(query: Incoming['query']): Plan {
  const terms = (query.sort ?? []).flatMap((list) => list.split(',')).map((term) => term.trim())
  const sorts = terms.some(Boolean) ? terms.filter(Boolean) : ['-count']
  const faults = [
    ...Object.keys(query)
      .filter((key) => key.startsWith('filter[') && key !== 'filter[name]')
      .map((key) => `${key.slice(0, 80)}: tags can only be filtered by filter[name].`),
    ...sorts
      .filter((term) => !Object.hasOwn(SORTS, term))
      .map((term) => `sort: '${term.slice(0, 80)}' is not one of ${Object.keys(SORTS).join(', ')}.`),
  ]
  if (faults.length > 0) throw badRequest(faults)
  return {
    patterns: query['filter[name]']?.map(patternOf) ?? null,
    order: sql.join([...sorts, 'name'].map((term) => SORTS[term])),
    isCount: /^(false|0)$/i.test(query.data?.at(-1) ?? ''),
    ...readPage(query),
  }
}

/** A LIKE pattern for a part of a name or, with stars, for the whole name. */
function patternOf(text: string): string {
  const plain = text.replaceAll(/[\\%_]/g, '\\$&')
  return plain.includes('*') ? plain.replaceAll(/\*+/g, '%') : `%${plain}%`
}
