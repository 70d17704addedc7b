import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { uuidList } from '../../engine/binary.ts'
import { badRequest, notFound } from '../../engine/errors.ts'
import type { Context } from '../../engine/resource.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { touch } from '../../engine/write.ts'

/** A 404 unless the caller may see the dataset, and a 400 where it chooses its entities itself. */
export async function requireStatic(ctx: Context, dataset: number, lock: RawBuilder<unknown> = sql``): Promise<void> {
  const { rows } = await sql<{ is_dynamic: boolean }>`
    select t.search_query is not null or t.relational_query is not null as is_dynamic
    from datasets as t
    where t.id = ${dataset} and ${visible(ctx, resourceOf(ctx, 'datasets'))}
    ${lock}`.execute(ctx.db)
  if (!rows[0]) throw notFound(dataset)
  if (rows[0].is_dynamic) throw badRequest(`The dataset '${dataset}' is dynamic: what is in it follows from its query.`)
}

/** It must not become dynamic while entities are put into it. */
const FOR_UPDATE = sql`for no key update of t`

/** Puts those of these entities that the caller may see into a dataset, and tells how many were not in it. */
export async function addToDataset(ctx: Context, dataset: number, ids: readonly string[]): Promise<number> {
  await requireStatic(ctx, dataset, FOR_UPDATE)
  // Who removes an entity removes its links next: until this is over, it stays.
  const { rows } = await sql`
    with seen as materialized (
      select t.id
      from entities as t
      where t.id = any(${uuidList(ids)}::uuid[]) and ${visible(ctx, resourceOf(ctx, 'entities'))}
      order by t.stix_id
      for key share of t
    )
    insert into dataset_entities (source, target)
    select ${dataset}::integer, seen.id from seen order by seen.id
    on conflict do nothing
    returning target`.execute(ctx.db)
  return noted(ctx, dataset, rows.length)
}

/** Takes those of these entities that the caller may see out of a dataset, and tells how many were in it. */
export async function takeFromDataset(ctx: Context, dataset: number, ids: readonly string[]): Promise<number> {
  await requireStatic(ctx, dataset, FOR_UPDATE)
  const { rows } = await sql`
    delete from dataset_entities as l
    using entities as t
    where l.source = ${dataset} and l.target = any(${uuidList(ids)}::uuid[])
      and t.id = l.target and ${visible(ctx, resourceOf(ctx, 'entities'))}
    returning l.target`.execute(ctx.db)
  return noted(ctx, dataset, rows.length)
}

/** Whether the entity `t` is in the dataset without being chosen, as far as the caller may know. */
export const isSurplus = (ctx: Context, dataset: number, isChosen: RawBuilder<SqlBool>): RawBuilder<SqlBool> =>
  sql`t.id in (select l.target from dataset_entities as l where l.source = ${dataset})
    and ${visible(ctx, resourceOf(ctx, 'entities'))} and (${isChosen}) is not true`

async function noted(ctx: Context, dataset: number, changed: number): Promise<number> {
  if (changed > 0) await touch(ctx, resourceOf(ctx, 'datasets'), dataset)
  return changed
}
