import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { badRequest, notFound } from '../../engine/errors.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { touch } from '../../engine/write.ts'
import { uuidList } from '../../fast/binary-arrays.ts'

/** Responds 404 if the caller cannot see the dataset, and 400 if a query determines its entities. */
export async function requireStatic(ctx: Context, dataset: number, lock: RawBuilder<unknown> = sql``): Promise<void> {
  const { rows } = await sql<{ is_dynamic: boolean }>`
    select t.search_query is not null or t.relational_query is not null as is_dynamic
    from datasets as t
    where t.id = ${dataset} and ${visible(ctx, resourceOf(ctx, 'datasets'))}
    ${lock}`.execute(ctx.db)
  if (!rows[0]) throw notFound(dataset)
  if (rows[0].is_dynamic) throw badRequest(`The dataset '${dataset}' is dynamic: its query determines its entities.`)
}

/** Keeps the dataset from becoming dynamic while its entities change. */
const FOR_UPDATE = sql`for no key update of t`

/** Adds the visible ones of these entities to a dataset, and returns how many were new to it. */
export async function addToDataset(ctx: Context, dataset: number, ids: readonly string[]): Promise<number> {
  await requireStatic(ctx, dataset, FOR_UPDATE)
  // Locks the entities: deleting one also deletes its links, and must not happen before the links exist.
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
  return touchIfChanged(ctx, dataset, rows.length)
}

/** Removes the visible ones of these entities from a dataset, and returns how many were in it. */
export async function removeFromDataset(ctx: Context, dataset: number, ids: readonly string[]): Promise<number> {
  await requireStatic(ctx, dataset, FOR_UPDATE)
  const { rows } = await sql`
    delete from dataset_entities as l
    using entities as t
    where l.source = ${dataset} and l.target = any(${uuidList(ids)}::uuid[])
      and t.id = l.target and ${visible(ctx, resourceOf(ctx, 'entities'))}
    returning l.target`.execute(ctx.db)
  return touchIfChanged(ctx, dataset, rows.length)
}

/** Whether the entity `t` is visible and in the dataset, but not selected. */
export const isSurplus = (ctx: Context, dataset: number, isSelected: RawBuilder<SqlBool>): RawBuilder<SqlBool> =>
  sql`t.id in (select l.target from dataset_entities as l where l.source = ${dataset})
    and ${visible(ctx, resourceOf(ctx, 'entities'))} and (${isSelected}) is not true`

async function touchIfChanged(ctx: Context, dataset: number, changed: number): Promise<number> {
  if (changed > 0) await touch(ctx, resourceOf(ctx, 'datasets'), dataset)
  return changed
}
