import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../engine/context.ts'
import { notFound } from '../../engine/errors.ts'
import { MAXIMUM_LIMIT, readPage } from '../../engine/query.ts'
import { parseId } from '../../engine/reference.ts'
import type { Route } from '../../engine/route.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import type { Described } from '../../http/openapi/describe.ts'
import { type Known, reference } from './reference.ts'
import { resolveIds } from './resolve-ids.ts'

const page = z.object({
  data: z.array(reference),
  count: z.int(),
  total_count: z.int(),
  limit: z.int(),
  offset: z.int(),
})

interface ReferencesRequest {
  readonly id: string
  readonly fields: readonly string[] | undefined
  readonly limit: number
  readonly offset: number
}

const doc: Described = {
  operationId: 'get_entity_references',
  summary: 'Resolve the ids in the data of an entity, such as the objects of a report',
  tag: 'entities',
  query: [
    {
      name: 'field',
      schema: { type: 'array', items: { type: 'string' } },
      description:
        'Only ids in these fields, such as `object_refs`. Default: all fields that end in `_ref` or `_refs`.',
    },
    {
      name: 'limit',
      schema: { type: 'integer', minimum: 1, maximum: MAXIMUM_LIMIT, default: 100 },
      description: 'Maximum number of items.',
    },
    {
      name: 'offset',
      schema: { type: 'integer', minimum: 0, default: 0 },
      description: 'Zero-based index of the first item.',
    },
  ],
  success: { 200: page },
  refusals: [400, 404],
}

/** Resolves the ids that an entity refers to, because ids alone mean nothing to people. */
export const entityReferences: Route<ReferencesRequest, z.output<typeof page>> = {
  method: 'GET',
  path: '/entities/:id/references',
  permission: 'read entities',
  doc,
  parse: ({ params, query }) => {
    const id = parseId('uuid', params.id ?? '')
    if (id === undefined) throw notFound(params.id ?? '')
    const fields = query.field?.flatMap((text) => text.split(',')).map((text) => text.trim())
    return { id: String(id), fields, ...readPage(query) }
  },
  run: async (ctx, { id, fields, limit, offset }) => {
    const all = await readReferences(ctx, id, fields)
    const page = all.slice(offset, offset + limit)
    const known = await resolveIds(
      ctx,
      id,
      page.map((each) => each.id),
    )
    const data = page.map((each) => ({ ...each, ...(known.get(each.id) ?? UNKNOWN) }))
    return { data, count: data.length, total_count: all.length, limit, offset }
  },
  answer: (body) => ({ status: 200, body }),
}

const UNKNOWN: Known = { kind: null, type: null, title: null, url: null }

/** Reads the ids in the data of an entity in their order, each once per field. */
async function readReferences(ctx: Context, id: string, fields: readonly string[] | undefined) {
  const { rows } = await sql<{ data: Readonly<Record<string, unknown>> }>`
    select t.data from entities as t
    where t.id = ${id}::uuid and ${visible(ctx, resourceOf(ctx, 'entities'))}`.execute(ctx.db)
  const [found] = rows
  if (!found) throw notFound(id)
  return Object.entries(found.data)
    .filter(([name]) => /_refs?$/.test(name) && (fields === undefined || fields.includes(name)))
    .flatMap(([field, value]) => {
      const ids = new Set([value].flat().filter((each): each is string => typeof each === 'string'))
      return [...ids].map((each) => ({ id: each, field }))
    })
}
