import { sql } from 'kysely'
import { z } from 'zod'
import { readNodes } from '../../attack/classification/nodes.ts'
import { attackOf, faultOf } from '../../attack/classification/references.ts'
import { withSuccessors } from '../../attack/classification/successors-named.ts'
import { textFrom } from '../../domain/text-from.ts'
import { defineAction } from '../../engine/action.ts'
import type { Context } from '../../engine/context.ts'
import { badRequest, notFound } from '../../engine/errors.ts'
import { requireVisible } from '../../engine/fetch.ts'
import { parseId } from '../../engine/reference.ts'
import type { Incoming, Method, Route } from '../../engine/route.ts'
import { touch } from '../../engine/write.ts'
import { attackLexeme } from '../../search/lexemes.ts'
import { afterChange } from '../entity-rules/act-on-stored.ts'
import { refuseUnified } from './refuse-unified.ts'

/** A technique below its tactic. Other nodes are set in the meta of the entity. */
const NODE = /^TA\d+:T\d+(\.\d+)?$/

type Attacks = readonly string[]

const route = (
  method: Method,
  path: string,
  name: string,
  doc: string,
  run: (ctx: Context, id: string, request: Incoming, sent: unknown) => Promise<unknown>,
  more: { body?: z.ZodType; status?: number } = {},
): Route =>
  defineAction({
    name,
    doc,
    tag: 'entities',
    method,
    path: `/entities/:id/attacks${path}`,
    permission: method === 'GET' ? 'read entities' : 'modify entities',
    ...(more.body && { body: more.body, example: ['TA0001:T1566'] }),
    ...(more.status === 204 ? { status: 204 } : { result: z.unknown() }),
    refusals: method === 'GET' ? [400, 404] : [400, 404, 409],
    run: async (ctx, sent, request) => {
      const id = String(parseId('uuid', request.params.id ?? '') ?? '')
      const entities = ctx.resources.get('entities')
      if (!id || !entities) throw notFound(request.params.id ?? '')
      await requireVisible(ctx, entities, id)
      if (method !== 'GET') await refuseUnified(ctx, [id])
      return run(ctx, id, request, sent)
    },
  })

const urls = (ctx: Context, attacks: Attacks) => attacks.map((id) => `${ctx.baseUrl}/api/v2/attacks/${id}`)

/** The relation path from an entity to the nodes of attack frameworks. */
export const attackRoutes: readonly Route[] = [
  route('GET', '', 'list_entities_attacks', 'List the attacks of an entity', async (ctx, id) =>
    urls(ctx, await attacksOf(ctx, id)),
  ),
  ...(['POST', 'PUT'] as const).map((method) =>
    route(
      method,
      '',
      `${method === 'POST' ? 'create' : 'upsert'}_entities_attacks`,
      'Add attacks to an entity',
      async (ctx, id, _, sent) => urls(ctx, await add(ctx, id, sent as unknown[])),
      { body: z.array(z.unknown()) },
    ),
  ),
  route('GET', '/:relation_id', 'get_entities_attacks', 'Get one attack of an entity', async (ctx, id, { params }) => {
    const node = nodeIn(params.relation_id)
    const attacks = await attacksOf(ctx, id)
    const found = attacks.includes(node) ? node : await successorAmong(ctx, node, attacks)
    if (found === undefined) throw notFound(node)
    return urls(ctx, [found])[0]
  }),
  route('PUT', '/:relation_id', 'update_entities_attacks', 'Add one attack to an entity', async (ctx, id, { params }) =>
    urls(ctx, await add(ctx, id, [nodeIn(params.relation_id)], false)),
  ),
  route(
    'DELETE',
    '/:relation_id',
    'delete_entities_attacks',
    'Remove one attack from an entity',
    async (ctx, id, { params }) => {
      const node = nodeIn(params.relation_id)
      const { rows } = await sql`
        update entities
        set attacks = array_remove(attacks, ${node}), search = ts_delete(search, ${attackLexeme(node)})
        where id = ${id} and ${node} = any(attacks)
        returning id`.execute(ctx.db)
      if (rows.length === 0) throw notFound(node)
      await touched(ctx, id)
    },
    { status: 204 },
  ),
]

function nodeIn(value: unknown): string {
  const node = attackOf(value)
  if (!node || !NODE.test(node)) throw badRequest(notANode(value))
  return node
}

const notANode = (value: unknown): string => `'${textFrom(value).slice(0, 80)}' is not an id of attacks.`

/** The node among these that took the place of a dead one. */
async function successorAmong(ctx: Context, node: string, attacks: Attacks): Promise<string | undefined> {
  const successors = withSuccessors(await readNodes(ctx), [node])
  return attacks.find((each) => successors.includes(each))
}

async function attacksOf({ db }: Context, id: string): Promise<Attacks> {
  const { rows } = await sql<{ attacks: string[] }>`select attacks from entities where id = ${id}`.execute(db)
  return rows[0]?.attacks ?? []
}

async function add(ctx: Context, id: string, named: readonly unknown[], isList = true): Promise<Attacks> {
  const nodes = await checked(ctx, id, named, isList)
  await sql`
    update entities
    set attacks = attacks || array(
        select distinct n.node from unnest(${nodes}::text[]) as n(node) where n.node <> all(attacks)),
      search = search || array_to_tsvector(${nodes.map(attackLexeme)}::text[])
    where id = ${id}`.execute(ctx.db)
  await touched(ctx, id)
  return attacksOf(ctx, id)
}

/** The ids of nodes that are known, or that the entity has already. */
async function checked(ctx: Context, id: string, named: readonly unknown[], isList: boolean): Promise<Attacks> {
  const known = await readNodes(ctx)
  const wrong = named.flatMap((value, i) => {
    const node = attackOf(value)
    const hasForm = node !== undefined && (NODE.test(node) || known.placesOf(node).length > 0)
    const fault = hasForm ? faultOf(known, node) : notANode(value)
    return fault === undefined ? [] : [{ node, fault: isList ? `data[${i}]: ${fault}` : fault }]
  })
  const stored = wrong.length > 0 ? await attacksOf(ctx, id) : []
  const faults = wrong.flatMap(({ node, fault }) => (node !== undefined && stored.includes(node) ? [] : [fault]))
  if (faults.length > 0) throw badRequest(faults)
  return named.flatMap((value) => attackOf(value) ?? [])
}

async function touched(ctx: Context, id: string): Promise<void> {
  const entities = ctx.resources.get('entities')
  if (entities) await touch(ctx, entities, id)
  await afterChange(ctx, [id], 'meta.attacks')
}
