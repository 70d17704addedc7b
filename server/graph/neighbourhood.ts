import { z } from 'zod'
import { faultsOf, messageOf } from '../engine/body.ts'
import type { Context } from '../engine/context.ts'
import { badRequest, notFound } from '../engine/errors.ts'
import { parseId, toUrl } from '../engine/reference.ts'
import type { Incoming, Route } from '../engine/route.ts'
import type { Described } from '../http/openapi/describe.ts'
import { CONSOLIDATIONS } from '../intelligence/entities/unified.ts'
import { READ_OBSERVABLES } from '../intelligence/relational/body-references.ts'
import { DIRECTIONS, direction, keys, types } from '../intelligence/relational/step-fields.ts'
import { graphConsolidation } from './consolidated.ts'
import { findNeighbours, findObservables } from './neighbours.ts'
import { entityNode, observableNode, showEntity, showObservable } from './nodes.ts'

const MAX_PER_GROUP = 500

/** The parts of a group name. */
const groupName = z.union([
  z.tuple([z.enum(['out', 'in']), z.string(), z.string()]),
  z.tuple([z.literal('observable'), z.string()]),
])
type GroupName = z.output<typeof groupName>

const whole = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/, 'must be an integer')
    .transform(Number)
    .pipe(z.int().min(least).max(most))

const parameters = z.object({
  direction: direction.default('any'),
  keys: keys.optional(),
  entity_types: types.optional(),
  limit: whole(1, MAX_PER_GROUP).default(10),
  offset: whole(0, 2 ** 31 - 1).default(0),
  consolidation: graphConsolidation,
  group: z
    .string()
    .transform((text, check) => {
      const name = readGroup(text)
      if (!name) check.addIssue({ code: 'custom', message: 'must be the `group` of an earlier response' })
      return name ?? z.NEVER
    })
    .optional(),
})

export type Asked = z.output<typeof parameters> & { readonly id: string }

const page = {
  group: z.string().describe('Send it as `group`, with an `offset`, to get more of this group.'),
  count: z.int().describe('The number of items.'),
  next_offset: z.int().nullable().describe('The offset of the next items; null if the response contains all.'),
}

const result = z.object({
  entity: entityNode,
  neighbours: z.array(
    z.object({
      key: z.string(),
      direction: z.enum(['out', 'in']),
      entity_type: z.string(),
      ...page,
      entities: z.array(entityNode.extend({ relationships: z.array(z.url()) })),
    }),
  ),
  observables: z
    .array(
      z.object({
        type: z.string(),
        ...page,
        observables: z.array(
          observableNode.extend({
            entities_count: z.int().describe('The number of other visible entities with this observable.'),
          }),
        ),
      }),
    )
    .nullable()
    .describe(`Null without the permission \`${READ_OBSERVABLES}\`.`),
})

const list = (values?: readonly string[]) => ({
  type: 'array',
  items: { type: 'string', ...(values && { enum: values }) },
})
const doc: Described = {
  operationId: 'get_entity_neighbourhood',
  summary: 'Get the related entities of an entity, grouped by relationship, and its observables by type',
  tag: 'graph',
  query: [
    {
      name: 'direction',
      schema: { type: 'string', enum: DIRECTIONS },
      description: 'Which relationships to include: outgoing, incoming, or both.',
    },
    {
      name: 'keys',
      schema: list(),
      description: 'Only relationships with one of these keys; comma-separated or repeated.',
    },
    {
      name: 'entity_types',
      schema: list(),
      description: 'Only entities of one of these types; comma-separated or repeated.',
    },
    {
      name: 'limit',
      schema: { type: 'integer', minimum: 1, maximum: MAX_PER_GROUP, default: 10 },
      description: 'Maximum number of items per group.',
    },
    {
      name: 'group',
      schema: { type: 'string' },
      description: 'Return only this group, named as in an earlier response.',
    },
    {
      name: 'offset',
      schema: { type: 'integer', minimum: 0, default: 0 },
      description: 'Zero-based index of the first item in each group.',
    },
    {
      name: 'consolidation',
      schema: { type: 'string', enum: CONSOLIDATIONS, default: 'all' },
      description: graphConsolidation.description ?? '',
    },
  ],
  success: { 200: z.object({ data: result }) },
  refusals: [404],
}

/** Everything around one entity, with full counts and a part of the items. */
export const neighbourhood: Route<Asked, z.output<typeof result>> = {
  method: 'GET',
  path: '/entities/:id/neighbourhood',
  permission: 'read entities',
  doc,
  parse: readRequest,
  guards: ({ group }) => (group?.[0] === 'observable' ? [READ_OBSERVABLES] : []),
  run: look,
  answer: (data) => ({ status: 200, body: { data } }),
}

async function look(ctx: Context, asked: Asked): Promise<z.output<typeof result>> {
  const { entity, groups } = await findNeighbours(ctx, asked)
  if (!entity) throw notFound(asked.id)
  const mayRead = ctx.caller.permissions.has(READ_OBSERVABLES)
  const observables = mayRead ? await findObservables(ctx, asked) : null
  const rest = (count: number, shown: number) => (asked.offset + shown < count ? asked.offset + shown : null)
  return {
    entity: showEntity(ctx, entity),
    neighbours: groups.map(({ key, way, type, count, members }) => ({
      key,
      direction: way,
      entity_type: type,
      group: writeGroup([way, key, type]),
      count,
      next_offset: rest(count, members.length),
      entities: members.map((row) => ({
        ...showEntity(ctx, row),
        relationships: row.relationships.map((id) => toUrl(ctx.baseUrl, 'relationships', id)),
      })),
    })),
    observables:
      observables?.map(({ type, count, members }) => ({
        type,
        group: writeGroup(['observable', type]),
        count,
        next_offset: rest(count, members.length),
        observables: members.map((row) => ({ ...showObservable(ctx, row), entities_count: row.entities_count })),
      })) ?? null,
  }
}

function readRequest({ params, query }: Incoming): Asked {
  const id = parseId('uuid', params.id ?? '')
  if (id === undefined) throw notFound(params.id ?? '')
  const listed = (name: string) => query[name]?.flatMap((text) => text.split(',')).map((text) => text.trim())
  const last = (name: string) => query[name]?.at(-1)
  const sent = {
    direction: last('direction'),
    keys: listed('keys'),
    entity_types: listed('entity_types'),
    limit: last('limit'),
    offset: last('offset'),
    consolidation: last('consolidation'),
    group: last('group'),
  }
  const parsed = parameters.safeParse(sent, { error: messageOf })
  if (!parsed.success) throw badRequest(faultsOf(parsed.error))
  return { ...parsed.data, id: String(id) }
}

const writeGroup = (name: GroupName): string => Buffer.from(JSON.stringify(name)).toString('base64url')

function readGroup(text: string): GroupName | undefined {
  try {
    const name = groupName.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString()))
    return name.data?.some((part) => part.includes('\u0000')) ? undefined : name.data
  } catch {
    return undefined
  }
}
