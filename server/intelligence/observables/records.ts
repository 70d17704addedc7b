import { sql } from 'kysely'
import type { Context, Item } from '../../engine/context.ts'
import type { Link } from '../../engine/reference.ts'
import { integerList, textList, uuidList } from '../../fast/binary-arrays.ts'
import { holdsKey } from '../../identity/access/sight.ts'
import { isOfSource, keyOf, sourceOf } from '../../identity/access/visibility.ts'
import { loggedByKey } from './logged.ts'
import { merged, partsOf } from './set-meta.ts'

/** Adds records of sources to observables, unless the caller already sees a record of the source. */
export async function addRecords(
  ctx: Context,
  pairs: readonly { readonly id: number; readonly source: string; readonly meta?: Item | undefined }[],
): Promise<void> {
  const parts = pairs.map(({ id, meta = {} }) => partsOf({ id, meta }))
  await sql`
    with made as (
      insert into observable_records (observable, vis, maliciousness, notes, created_by, last_updated_by)
      select i.id, ${keyOf(sql`s.number`, sql`0`)}, nullif(i.level, 'unknown'), ${merged(sql`null`, sql`i.notes`)}, nullif(${ctx.caller.id}::integer, 0), nullif(${ctx.caller.id}::integer, 0)
      from unnest(
        ${integerList(pairs.map(({ id }) => id))}::integer[],
        ${uuidList(pairs.map(({ source }) => source))}::uuid[],
        ${textList(parts.map(({ level }) => level))}::text[],
        ${textList(parts.map(({ notes }) => notes))}::text[]) as i(id, source, level, notes)
      join sources as s on s.id = i.source
      where not exists (
        select from observable_records as r
        where r.observable = i.id and ${isOfSource(sql`r.vis`, sql`s.number`)} and ${holdsKey(ctx, sql`r.vis`)})
      order by 1, 2
      on conflict do nothing
      returning observable as id, vis
    ), logged as (${loggedByKey(ctx, 'create', sql`made`)})
    select`.execute(ctx.db)
}

/** Removes the visible records of all other sources. */
export async function removeOtherRecords(
  ctx: Context,
  setters: readonly { readonly id: number; readonly sources: readonly Link[] }[],
): Promise<void> {
  const kept = setters.flatMap(({ id, sources }) => sources.map((source) => ({ id, source: String(source.id) })))
  await sql`
    with gone as (
      delete from observable_records as r
      where r.observable = any(${integerList(setters.map(({ id }) => id))}::integer[]) and ${holdsKey(ctx, sql`r.vis`)}
        and (r.observable, ${sourceOf(sql`r.vis`)}) not in (
          select i.id, s.number
          from unnest(
            ${integerList(kept.map(({ id }) => id))}::integer[],
            ${uuidList(kept.map(({ source }) => source))}::uuid[]) as i(id, source)
          join sources as s on s.id = i.source)
      returning r.observable as id, r.vis
    ), logged as (${loggedByKey(ctx, 'update', sql`gone`)})
    select`.execute(ctx.db)
}
