import { type RawBuilder, sql } from 'kysely'
import { holdsKey, sightOf } from '../../auth/sight.ts'
import { integerList, textList } from '../../engine/binary.ts'
import { forbidden } from '../../engine/errors.ts'
import type { Context, Item } from '../../engine/resource.ts'
import { notedByKey } from './noted.ts'
import { isOwn, lowestRank } from './sight.ts'

/** What clients keep in the `meta` of an observable in addition to its maliciousness. */
export interface Notes {
  readonly id: number
  readonly notes: Item
}

/** The notes on the observable `t` that the caller sees. Where sources differ, those of the caller's groups count. */
export const notesOn = (ctx: Context): RawBuilder<unknown> => sql`(
  select jsonb_object_agg(note.key, note.value order by ${isOwn(ctx, sql`r.vis`)}, r.last_updated_at, r.vis)
  from observable_records as r cross join lateral jsonb_each(r.notes) as note
  where r.observable = t.id and r.notes is not null and ${holdsKey(ctx, sql`r.vis`)})`

/**
 * Merges notes into the records of the caller's own sources, or into a new one of their first group, which is seen at no lower
 * colour than the observable is by the caller. Null takes a note away.
 */
export async function setNotes(ctx: Context, all: readonly Notes[]): Promise<void> {
  if (all.length === 0) return
  const { home } = sightOf(ctx)
  if (home === null) throw forbidden('meta: you are in no group in whose name it could be set')
  await sql`
    with given as materialized (
      select * from unnest(
        ${integerList(all.map(({ id }) => id))}::integer[],
        ${textList(all.map(({ notes }) => JSON.stringify(notes)))}::text[]) as i(id, notes)
    ), own as materialized (
      select r.observable as id, r.vis
      from given join observable_records as r on r.observable = given.id
      where ${holdsKey(ctx, sql`r.vis`)} and ${isOwn(ctx, sql`r.vis`)}
      order by r.observable, r.vis
      for update of r
    ), changed as (
      update observable_records as r
      set notes = ${merged(sql`r.notes`, sql`given.notes`)}, last_updated_at = now(),
        last_updated_by = nullif(${ctx.caller.id}::integer, 0)
      from own join given on given.id = own.id
      where r.observable = own.id and r.vis = own.vis
        and r.notes is distinct from ${merged(sql`r.notes`, sql`given.notes`)}
      returning r.observable as id, r.vis
    ), made as (
      insert into observable_records as r (observable, vis, notes, created_by, last_updated_by)
      select o.id, s.number * 8 + ${lowestRank(ctx, 'o')}, ${merged(sql`null`, sql`given.notes`)},
        nullif(${ctx.caller.id}::integer, 0), nullif(${ctx.caller.id}::integer, 0)
      from given join observables as o on o.id = given.id cross join sources as s
      where s.id = ${home} and given.id not in (select id from own)
        and ${merged(sql`null`, sql`given.notes`)} is not null
      order by 1, 2
      on conflict (observable, vis) do update
        set notes = coalesce(r.notes, '{}') || excluded.notes, last_updated_at = now(),
          last_updated_by = excluded.last_updated_by
      returning observable as id, vis
    ), noted as (${notedByKey(ctx, 'update', sql`(select * from changed union all select * from made)`)})
    select`.execute(ctx.db)
}

const merged = (stored: RawBuilder<unknown>, given: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`nullif(jsonb_strip_nulls(coalesce(${stored}::jsonb, '{}') || ${given}::jsonb), '{}')`
