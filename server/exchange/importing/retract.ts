import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { logged } from '../../engine/log.ts'
import { resourceOf } from '../../engine/select.ts'
import { integerList, uuidList } from '../../fast/binary-arrays.ts'
import { sightOf } from '../../identity/access/sight.ts'
import { keysOf, sourceOf } from '../../identity/access/visibility.ts'

/** Sets or removes the mark that entities were withdrawn by their publisher; gives how many changed. */
export async function markWithdrawn(ctx: Context, ids: readonly string[], isWithdrawn: boolean): Promise<number> {
  if (ids.length === 0) return 0
  const { rows } = await sql<{ count: number }>`
    with chosen as (
      select t.id from entities as t
      where t.id = any(${uuidList([...ids])}::uuid[]) and t.is_withdrawn <> ${isWithdrawn}
      order by t.stix_id
      for update of t
    ), changed as (
      update entities as t
      set is_withdrawn = ${isWithdrawn}, was_withdrawn = t.was_withdrawn or ${isWithdrawn}, last_updated_at = now()
      from chosen where t.id = chosen.id
      returning t.id
    ), ${logged(ctx, { collection: 'entities' }, 'update', sql`changed`)}
    select count(*)::integer as count from changed`.execute(ctx.db)
  return rows[0]?.count ?? 0
}

/** Unlinks observables from entities. */
export async function unlinkObservables(
  ctx: Context,
  pairs: readonly { readonly entity: string; readonly observable: number }[],
): Promise<void> {
  if (pairs.length === 0) return
  await sql`
    with gone as (
      delete from entity_observables as l
      using unnest(
        ${uuidList(pairs.map(({ entity }) => entity))}::uuid[],
        ${integerList(pairs.map(({ observable }) => observable))}::integer[]) as g(source, target)
      where l.source = g.source and l.target = g.target
      returning l.source
    ), changed as (
      update entities as t set last_updated_at = now()
      where t.id in (select source from gone)
      returning t.id
    ), ${logged(ctx, { collection: 'entities' }, 'update', sql`changed`)}
    select from changed`.execute(ctx.db)
}

/** Deletes the relationships of a source; those that also have another source only lose this one. Gives how many had the source. */
export async function retractRelationships(ctx: Context, source: string, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  const { rows } = await sql<{ id: string; is_shared: boolean }>`
    with own as (
      select s.number from sources as s where s.id = ${source}
    ), chosen as (
      select t.id, array(
        select k.key from own, unnest(t.vis) with ordinality as k(key, place)
        where ${sourceOf(sql`k.key`)} <> own.number order by k.place) as rest
      from relationships as t
      where t.id = any(${uuidList([...ids])}::uuid[])
        and t.vis && ${keysOf(sql`(select number from own)`)}
      order by t.id
      for update of t
    ), kept as (
      update relationships as t set vis = chosen.rest, home = ${sourceOf(sql`chosen.rest[1]`)}
      from chosen
      where t.id = chosen.id and chosen.rest <> '{}'
      returning t.id
    ), ${logged(ctx, { collection: 'relationships' }, 'update', sql`kept`)}
    select id, rest <> '{}' as is_shared from chosen`.execute(ctx.db)
  const resource = resourceOf(ctx, 'relationships')
  const gone = rows.filter(({ is_shared }) => !is_shared).map(({ id }) => id)
  if (gone.length > 0) await resource.operations.remove?.(ctx, resource, gone)
  return rows.length
}

/** Deletes entities with their links and relationships. */
export async function deleteEntities(ctx: Context, ids: readonly string[]): Promise<void> {
  const resource = resourceOf(ctx, 'entities')
  if (ids.length > 0) await resource.operations.remove?.(ctx, resource, [...ids])
}

/** Removes a source from observables that none of its entities has; observables without any source left are deleted. */
export async function retractObservables(ctx: Context, source: string, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) return 0
  const { rows } = await sql<{ id: number; number: number }>`
    select l.source as id, s.number
    from observable_sources as l join sources as s on s.id = l.target
    where l.source = any(${integerList([...ids])}::integer[]) and s.id = ${source}::uuid
      and not exists (
        select from entity_observables as o join entities as e on e.id = o.source
        where o.target = l.source and ${sourceOf(sql`e.vis`)} = s.number)
    order by l.source`.execute(ctx.db)
  const [first] = rows
  if (!first) return 0
  // Removes only the records of this source: those of others are not visible to this caller.
  const { keys, ...sight } = sightOf(ctx)
  const own = { ...sight, sources: [source], keys: keys.filter((key) => sourceOf(key) === first.number) }
  const caller = { ...ctx.caller, sight: own }
  const resource = resourceOf(ctx, 'observables')
  const gone = rows.map(({ id }) => id)
  await resource.operations.remove?.({ ...ctx, caller }, resource, gone)
  return gone.length
}
