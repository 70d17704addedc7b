import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { noted } from '../../engine/log.ts'
import { type RemappedAnalyses, remapAnalyses, undoRemappedAnalyses } from '../analyses/remapped.ts'
import { remapEntities } from './remap-entities.ts'

/** Dead nodes with the live ones that take their place. */
export type Successors = ReadonlyMap<string, readonly string[]>

/** Why objects are re-mapped: a load, or a choice in a review of it. */
export interface Occasion {
  readonly load: number
  readonly review: number | null
}

/** Gives all objects that use dead nodes the successors instead, and keeps a journal of it. */
export async function remap(ctx: Context, successors: Successors, occasion: Occasion): Promise<void> {
  if (successors.size === 0) return
  await remapLinks(ctx, successors, occasion)
  const analyses = JSON.stringify(await remapAnalyses(ctx, successors))
  const { load, review } = occasion
  await (review === null
    ? sql`update framework_loads set analyses = ${analyses}::jsonb where id = ${load}`
    : sql`update framework_reviews set analyses = ${analyses}::jsonb where id = ${review}`
  ).execute(ctx.db)
  await remapEntities(ctx, successors, occasion)
}

/** Takes back what a load and the choices that belong to it re-mapped apart from entities, except what users changed since. */
export async function restoreUses(ctx: Context, load: number): Promise<void> {
  await restoreLinks(ctx, load)
  const { rows } = await sql<{ analyses: RemappedAnalyses }>`
    select analyses from (
      select analyses, decided_at from framework_reviews where load = ${load} and state = 'chosen'
      union all
      select analyses, null from framework_loads where id = ${load}
    ) as done
    where analyses is not null
    order by decided_at desc nulls last`.execute(ctx.db)
  // The latest choice first: each finds what it left. Users make these choices one by one, so there are few.
  for (const { analyses } of rows) await undoRemappedAnalyses(ctx, analyses)
}

const LINKS = { collection: 'defense_relationships' } as const

/** Moves the relationships of own defenses to the successors. One that is there already needs no second one: the old one stays. */
async function remapLinks(ctx: Context, successors: Successors, { load, review }: Occasion): Promise<void> {
  const pairs = [...successors].flatMap(([node, all]) => all.map((to) => ({ node, to })))
  await sql`
    with pairs as materialized (
      select p.node, p.successor, row_number() over (partition by p.node order by p.successor) as place
      from unnest(${pairs.map(({ node }) => node)}::text[], ${pairs.map(({ to }) => to)}::text[]) as p(node, successor)
    ), wanted as materialized (
      select t.id, t.defense, t.type, t.description, t.technique as node, p.successor,
        row_number() over (partition by t.id order by p.place) as place,
        row_number() over (partition by t.defense, t.type, p.successor order by t.id) as turn
      from defense_relationships as t
      join pairs as p on p.node = t.technique
      where not t.is_system and not exists (
        select from defense_relationships as o where (o.defense, o.technique, o.type) = (t.defense, p.successor, t.type))
    ), moved as (
      update defense_relationships as t
      set technique = w.successor, last_updated_at = now(), last_updated_by = nullif(${ctx.caller.id}::integer, 0)
      from wanted as w
      where w.id = t.id and w.place = 1 and w.turn = 1
      returning t.id, w.node, w.successor, json_build_object('technique', json_build_array(w.node, w.successor)) as diff
    ), added as (
      insert into defense_relationships (defense, technique, type, description, created_by)
      select w.defense, w.successor, w.type, w.description, nullif(${ctx.caller.id}::integer, 0)
      from wanted as w
      where w.turn = 1 and w.place > 1 and w.id in (select id from moved)
      order by w.id, w.place
      returning id, technique
    ), logged_moves as (${noted(ctx, LINKS, 'update', sql`moved`, true)}), logged_additions as (${noted(ctx, LINKS, 'create', sql`added`)})
    insert into framework_remappings (load, review, link, node, successors)
    select ${load}::integer, ${review}::integer, id, node, array[successor] from moved
    union all
    -- Without a node of its own it goes when the choice is undone.
    select ${load}::integer, ${review}::integer, id, '', array[technique] from added`.execute(ctx.db)
}

async function restoreLinks(ctx: Context, load: number): Promise<void> {
  await sql`
    with gone as (
      delete from defense_relationships as t
      using framework_remappings as r
      where r.load = ${load} and r.link = t.id and r.node = '' and t.technique = any(r.successors) and not t.is_system
      returning t.id
    ), moved as (
      update defense_relationships as t
      set technique = r.node
      from framework_remappings as r
      where r.load = ${load} and r.link = t.id and r.node <> '' and t.technique = any(r.successors) and not t.is_system
        and not exists (
          select from defense_relationships as o where (o.defense, o.technique, o.type) = (t.defense, r.node, t.type))
      returning t.id, json_build_object('technique', json_build_array(r.successors[1], r.node)) as diff
    ), logged_deletions as (${noted(ctx, LINKS, 'delete', sql`gone`)})
    ${noted(ctx, LINKS, 'update', sql`moved`, true)}`.execute(ctx.db)
}
