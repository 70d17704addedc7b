import { z } from 'zod'
import { faultsOf, messageOf } from '../engine/body.ts'
import { badRequest, notFound } from '../engine/errors.ts'
import { parseId, toUrl } from '../engine/reference.ts'
import type { Context } from '../engine/resource.ts'
import type { Incoming, Route } from '../engine/route.ts'
import type { Described } from '../http/openapi/describe.ts'
import { READ_OBSERVABLES } from '../intelligence/relational/given.ts'
import { DIRECTIONS, direction, keys, types } from '../intelligence/relational/step-fields.ts'
import { findNeighbours, findObservables } from './neighbours.ts'
import { entityNode, observableNode, showEntity, showObservable } from './nodes.ts'

const MOST = 500

/** What the name of a group stands for. */
const groupName = z.union([
  z.tuple([z.enum(['out', 'in']), z.string(), z.string()]),
  z.tuple([z.literal('observable'), z.string()]),
])
type GroupName = z.output<typeof groupName>

const whole = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(least).max(most))

const parameters = z.object({
  direction: direction.default('any'),
  keys: keys.optional(),
  entity_types: types.optional(),
  limit: whole(1, MOST).default(10),
  offset: whole(0, 2 ** 31 - 1).default(0),
  group: z
    .string()
    .transform((text, check) => {
      const name = readGroup(text)
      if (!name) check.addIssue({ code: 'custom', message: 'must be the `group` of an answer before' })
      return name ?? z.NEVER
    })
    .optional(),
})

export type Asked = z.output<typeof parameters> & { readonly id: string }

const page = {
  group: z.string().describe('Sent back as `group`, with an `offset`, it gives more of this group.'),
  count: z.int().describe('How many there are.'),
  next_offset: z.int().nullable().describe('Where those begin that are not in the answer; null when all are.'),
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
          observableNode.extend({ entities_count: z.int().describe('How many other entities you see have it.') }),
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
  summary: 'Get the entities that an entity has to do with, by kind of relationship, and its observables by type',
  tag: 'graph',
  query: [
    {
      name: 'direction',
      schema: { type: 'string', enum: DIRECTIONS },
      description: 'Which relationships: its own, those of others to it, or any.',
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
      schema: { type: 'integer', minimum: 1, maximum: MOST, default: 10 },
      description: 'Maximum number of items in each group.',
    },
    { name: 'group', schema: { type: 'string' }, description: 'Only this group, as an answer before has named it.' },
    {
      name: 'offset',
      schema: { type: 'integer', minimum: 0, default: 0 },
      description: 'Zero-based index of the first item in each group.',
    },
  ],
  success: { 200: z.object({ data: result }) },
  refusals: [404],
}

/** Everything around one entity, counted whole and shown in parts. */
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
