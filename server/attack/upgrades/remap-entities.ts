import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { uuidList } from '../../fast/binary-arrays.ts'
import { metaAsSent } from '../../intelligence/entities/meta.ts'
import { logged } from '../../intelligence/entities/store.ts'
import { afterChange } from '../../intelligence/entity-rules/act-on-stored.ts'
import { attackLexeme, SEPARATOR } from '../../search/lexemes.ts'
import { anyLexeme, toSql } from '../../search/sql/parts.ts'
import type { Occasion, Successors } from './remap.ts'

/**
 * Replaces nodes of all entities, also of those that the caller does not see, and keeps a journal of it. Unified entities follow their
 * contributors. Returns how many entities changed.
 */
export async function remapEntities(ctx: Context, successors: Successors, occasion: Occasion): Promise<number> {
  const nodes = [...successors.keys()]
  const ids = await lock(
    ctx,
    sql`${toSql(anyLexeme(nodes.map(attackLexeme)))} and t.attacks && ${nodes}::text[] and not t.is_unified`,
  )
  if (ids.length === 0) return 0
  const pairs = [...successors].flatMap(([node, all]) => all.map((to) => ({ node, to })))
  await rewrite(
    ctx,
    sql`pairs as materialized (
      select * from unnest(${pairs.map(({ node }) => node)}::text[], ${pairs.map(({ to }) => to)}::text[]) as p(node, successor)
    ), i as materialized (
      select t.id, t.attacks as before, n.attacks as after
      from entities as t cross join lateral (
        select array_agg(r.node order by r.position, r.node) as attacks
        from (
          select coalesce(p.successor, u.node) as node, min(u.position) as position
          from unnest(t.attacks) with ordinality as u(node, position) left join pairs as p on p.node = u.node
          group by 1
        ) as r
      ) as n
      where t.id = any(${uuidList(ids)}::uuid[])
    ), journal as (
      insert into framework_remappings (load, review, entity, node, successors, before, after)
      select ${occasion.load}::integer, ${occasion.review}::integer, i.id, p.node, array_agg(p.successor order by p.successor), i.before, i.after
      from i join pairs as p on p.node = any(i.before)
      group by i.id, p.node, i.before, i.after
      order by i.id, p.node
    )`,
  )
  // A feed that brought a node may withdraw its successors, and the node again once the load is undone.
  await sql`
    update feed_entities as t
    set attacks = array(
      select u.node from unnest(t.attacks) as u(node)
      union
      select p.successor
      from unnest(${pairs.map(({ node }) => node)}::text[], ${pairs.map(({ to }) => to)}::text[]) as p(node, successor)
      where p.node = any(t.attacks)
      order by 1)
    where t.entity = any(${uuidList(ids)}::uuid[]) and t.attacks && ${nodes}::text[]`.execute(ctx.db)
  await afterChange(ctx, ids, 'meta.attacks')
  return ids.length
}

/**
 * Gives entities the nodes back that a load and the choices that belong to it replaced, unless a user has removed the successors since. An
 * entity that has not changed since gets exactly what it had. Returns how many entities changed.
 */
export async function restoreEntities(ctx: Context, load: number): Promise<number> {
  const ids = await lock(
    ctx,
    sql`t.id in (select r.entity from framework_remappings as r where r.load = ${load} and r.entity is not null and r.successors && t.attacks)
      and not t.is_unified`,
  )
  if (ids.length === 0) return 0
  await rewrite(
    ctx,
    sql`journal as materialized (
      select r.*, lag(r.before) over w as last_before, lag(r.after) over w as last_after
      from framework_remappings as r
      where r.load = ${load} and r.entity = any(${uuidList(ids)}::uuid[])
      window w as (partition by r.entity order by r.id)
    ), untouched as materialized (
      select entity, (array_agg(before::text order by id))[1]::text[] as before, (array_agg(after::text order by id desc))[1]::text[] as after
      from journal
      group by entity
      having bool_and(last_before is null or last_after = before or (last_before = before and last_after = after))
    ), i as materialized (
      select t.id, t.attacks as before,
        case when o.entity is not null then o.before else ${piecewise} end as after
      from entities as t left join untouched as o on o.entity = t.id and o.after = t.attacks
      where t.id = any(${uuidList(ids)}::uuid[])
    )`,
  )
  await afterChange(ctx, ids, 'meta.attacks')
  return ids.length
}

/** The nodes of an entity that changed since: each journaled node comes back where its first successor is, which goes unless it was there before. */
const piecewise = sql`(
  with active as (select j.* from journal as j where j.entity = t.id and j.successors && t.attacks),
  added as (
    select s.node from active as a cross join unnest(a.successors) as s(node)
    group by s.node having not bool_or(s.node = any(a.before))
  ),
  has as (select u.node, u.position from unnest(t.attacks) with ordinality as u(node, position)),
  all_nodes as (
    select h.node, h.position from has as h where h.node not in (select node from added)
    union all
    select a.node, coalesce(min(h.position) filter (where h.node in (select node from added)), 1000000)
    from active as a join has as h on h.node = any(a.successors)
    group by a.node
  )
  select array_agg(r.node order by r.position, r.node)
  from (select node, min(position) as position from all_nodes group by node) as r)`

/** Locks entities in the order that all writers use. */
async function lock(ctx: Context, which: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ ids: string[] }>`
    with found as materialized (select t.id from entities as t where ${which} order by t.stix_id for update of t)
    select array(select id from found) as ids`.execute(ctx.db)
  return rows[0]?.ids ?? []
}

/** Gives entities the nodes in the rows `i`, which `parts` makes: stores their previous versions, and logs that they changed. */
async function rewrite(ctx: Context, parts: RawBuilder<unknown>): Promise<void> {
  const lexemes = (list: string) =>
    sql`select 'k' || ${SEPARATOR}::text || folded(u.node) from unnest(${sql.raw(list)}) as u(node)`
  await sql`
    with ${parts}, kept as (
      insert into entity_versions (entity_id, version, vis, at, data, meta)
      select t.id, t.version, t.vis, t.last_updated_at, t.data, ${metaAsSent}
      from entities as t join i on i.id = t.id
    ), changed as (
      update entities as t
      set attacks = i.after,
        search = ts_delete(t.search, array(${lexemes('i.before')} except ${lexemes('i.after')})) || array_to_tsvector(array(${lexemes('i.after')})),
        version = t.version + 1,
        last_updated_at = now()
      from i
      where t.id = i.id
      returning t.id
    ), ${logged(ctx, 'update', sql`changed`)}
    select from changed`.execute(ctx.db)
}
