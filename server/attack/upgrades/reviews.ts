import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../engine/context.ts'
import { badRequest, conflict, notFound } from '../../engine/errors.ts'
import { toUrl } from '../../engine/reference.ts'
import { MATRICES } from '../frameworks/framework.ts'
import { actingFor, LOAD_TIMEOUT } from './acting.ts'
import { remap } from './remap.ts'
import { isSeen, isUsed, usesOf } from './uses.ts'

export const REVIEW_STATES = ['open', 'chosen', 'kept'] as const

const namedNode = z.object({ id: z.string(), name: z.string() })

export const review = z.object({
  id: z.int(),
  load: z.int(),
  matrix: z.enum(MATRICES),
  node: namedNode,
  successors: z.array(namedNode),
  state: z.enum(REVIEW_STATES),
  chosen: z.array(z.string()),
  entities: z.int().describe('That you see, and that still have the node.'),
  annotations: z.int(),
  layers: z.int(),
  links: z.int(),
  decided_at: z.string().nullable(),
  decided_by: z.string().nullable(),
})
export type Review = z.output<typeof review>

/** Which reviews to list. */
export interface WantedReviews {
  readonly states: readonly string[]
  readonly load?: number
  readonly id?: number
}

type Row = Omit<Review, 'decided_by' | 'entities' | 'annotations' | 'layers' | 'links'> & {
  readonly decided_by: number | null
  /** Whether its choice changed something that the caller sees. */
  readonly has_changed: boolean
}

/** Reviews in the order of their nodes: those for which the caller sees something that uses the node, or that the choice changed. */
export async function seenReviews(ctx: Context, { states, load, id }: WantedReviews): Promise<Review[]> {
  const { rows } = await sql<Row>`
    select r.id, r.load, l.matrix, jsonb_build_object('id', r.node, 'name', coalesce(n.name, r.node)) as node,
      (
        select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'name', coalesce(o.name, s.id)) order by s.id), '[]')
        from unnest(r.successors) as s(id) left join attack_nodes as o on o.id = s.id
      ) as successors,
      r.state, r.chosen, r.decided_at, r.decided_by,
      coalesce(jsonb_array_length(r.analyses -> 'annotations') + jsonb_array_length(r.analyses -> 'layers'), 0) > 0 or exists (
        select from framework_remappings as m
        where m.review = r.id and (m.link is not null or exists (
          select from entities as t where t.id = m.entity and ${isSeen(ctx, 'entities')}))
      ) as has_changed
    from framework_reviews as r
    join framework_loads as l on l.id = r.load
    left join attack_nodes as n on n.id = r.node
    where r.state = any(${states}::text[]) and (${load ?? null}::integer is null or r.load = ${load ?? null})
      and (${id ?? null}::integer is null or r.id = ${id ?? null})
    order by r.node, r.id`.execute(ctx.db)
  const uses = await usesOf(ctx, [...new Set(rows.map(({ node }) => node.id))])
  return rows.flatMap(({ decided_by, has_changed, ...row }) => {
    const used = uses.get(row.node.id)
    if (!has_changed && !(used && isUsed(used))) return []
    const { entities = 0, annotations = 0, layers = 0, links = 0 } = used ?? {}
    const by = decided_by === null ? null : toUrl(ctx.baseUrl, 'users', decided_by)
    return [{ ...row, entities, annotations, layers, links, decided_by: by }]
  })
}

/** Decides a review: everything that uses the node gets the chosen successors, or keeps the node if none is chosen. */
export async function decide(ctx: Context, id: number, chosen: readonly string[]): Promise<Review> {
  const { rows } = await sql<{ state: string }>`
    select state from framework_reviews where id = ${id} for update`.execute(ctx.db)
  const [row] = rows
  if (row && !REVIEW_STATES.some((state) => state === row.state))
    throw conflict('The version of this review is not in force any more.')
  const [found] = row ? await seenReviews(ctx, { states: REVIEW_STATES, id }) : []
  if (!found) throw notFound(id)
  if (found.state !== 'open') throw conflict('This review was decided before.')
  const wrong = chosen.flatMap((node, i) =>
    found.successors.some((each) => each.id === node)
      ? []
      : [
          `data.successors[${i}]: '${node.slice(0, 80)}' is not one of ${found.successors.map((each) => each.id).join(', ')}`,
        ],
  )
  if (wrong.length > 0) throw badRequest(wrong)
  const nodes = [...new Set(chosen)].sort()
  await LOAD_TIMEOUT.execute(ctx.db)
  await sql`
    update framework_reviews
    set state = ${nodes.length > 0 ? 'chosen' : 'kept'}, chosen = ${nodes}::text[], decided_at = now(),
      decided_by = nullif(${ctx.caller.id}::integer, 0)
    where id = ${id}`.execute(ctx.db)
  if (nodes.length > 0)
    await remap(actingFor(ctx, found.load), new Map([[found.node.id, nodes]]), { load: found.load, review: id })
  const [decided] = await seenReviews(ctx, { states: REVIEW_STATES, id })
  if (!decided) throw notFound(id)
  return decided
}
