import { type RawBuilder, sql } from 'kysely'
import { integerList, textList } from '../../engine/binary.ts'
import { forbidden } from '../../engine/errors.ts'
import type { Context, Item } from '../../engine/resource.ts'
import { holdsKey, sightOf } from '../../identity/access/sight.ts'
import { keyOf } from '../../identity/access/visibility.ts'
import type { Maliciousness } from '../entities/observables-in.ts'
import { notedDiffs } from './noted.ts'
import { isOwn, lowestRank } from './sight.ts'

type Sql = RawBuilder<unknown>

/** The `meta` of an observable as it was sent: a verdict, and notes that clients keep with it. */
export interface SentMeta {
  readonly id: number
  readonly meta: Item
}

/** The notes on the observable `t` that the caller sees. Where sources differ, those of the caller's groups count. */
export const notesOn = (ctx: Context): Sql => sql`(
  select jsonb_object_agg(note.key, note.value order by ${isOwn(ctx, sql`r.vis`)}, r.last_updated_at, r.vis)
  from observable_records as r cross join lateral jsonb_each(r.notes) as note
  where r.observable = t.id and r.notes is not null and ${holdsKey(ctx, sql`r.vis`)})`

/**
 * Sets verdicts and notes in the records of the caller's own sources that they see, or else in a new one of their first group. A new
 * record is seen at no lower colour than the observable is by the caller. `unknown` takes a verdict back, null a note.
 */
export async function setMeta(ctx: Context, sent: readonly SentMeta[]): Promise<void> {
  const all = sent.map(partsOf).filter(({ level, notes }) => level !== null || notes !== null)
  if (all.length === 0) return
  const { home } = sightOf(ctx)
  if (home === null) throw forbidden('meta: you are in no group in whose name it could be set')
  const user = sql`nullif(${ctx.caller.id}::integer, 0)`
  await sql`
    with said as materialized (
      select i.id, i.level is not null as is_rated, nullif(i.level, 'unknown') as level, coalesce(i.notes, '{}')::jsonb as notes
      from unnest(
        ${integerList(all.map(({ id }) => id))}::integer[],
        ${textList(all.map(({ level }) => level))}::text[],
        ${textList(all.map(({ notes }) => notes))}::text[]) as i(id, level, notes)
    ), own as materialized (
      select r.observable as id, r.vis, r.maliciousness as old_level, r.notes as old_notes,
        case when said.is_rated then said.level else r.maliciousness end as level,
        ${merged(sql`r.notes`, sql`said.notes`)} as notes
      from said join observable_records as r on r.observable = said.id
      where ${holdsKey(ctx, sql`r.vis`)} and ${isOwn(ctx, sql`r.vis`)}
      order by r.observable, r.vis
      for update of r
    ), changed as (
      update observable_records as r
      set maliciousness = own.level, notes = own.notes, last_updated_at = now(), last_updated_by = ${user}
      from own
      where r.observable = own.id and r.vis = own.vis
        and (own.old_level is distinct from own.level or own.old_notes is distinct from own.notes)
      returning r.observable as id, r.vis,
        ${difference(metaOf(sql`own.old_level`, sql`own.old_notes`), metaOf(sql`own.level`, sql`own.notes`))} as diff
    ), made as (
      insert into observable_records as r (observable, vis, maliciousness, notes, created_by, last_updated_by)
      select o.id, ${keyOf(sql`s.number`, lowestRank(ctx, 'o'))}, said.level, ${merged(sql`null`, sql`said.notes`)}, ${user}, ${user}
      from said join observables as o on o.id = said.id cross join sources as s
      where s.id = ${home} and said.id not in (select id from own)
        and (said.level is not null or ${merged(sql`null`, sql`said.notes`)} is not null)
      order by 1, 2
      on conflict (observable, vis) do update
        set maliciousness = coalesce(excluded.maliciousness, r.maliciousness), notes = ${merged(sql`r.notes`, sql`excluded.notes`)},
          last_updated_at = now(), last_updated_by = excluded.last_updated_by
      returning observable as id, vis,
        ${difference(metaOf(sql`null`, sql`null`), metaOf(sql`maliciousness`, sql`notes`))} as diff
    ), noted as (${notedDiffs(ctx, sql`(select * from changed union all select * from made)`)})
    select`.execute(ctx.db)
}

interface Parts {
  readonly id: number
  /** Null where nothing is said of it. */
  readonly level: Maliciousness | null
  readonly notes: string | null
}

/** A verdict and notes as columns take them. */
export function partsOf({ id, meta }: SentMeta): Parts {
  const { maliciousness, ...notes } = meta
  return {
    id,
    level: (maliciousness as Maliciousness | undefined) ?? null,
    notes: Object.keys(notes).length > 0 ? JSON.stringify(notes) : null,
  }
}

/** Notes with others written over them; null where none are left. */
export const merged = (stored: Sql, given: Sql): Sql =>
  sql`nullif(jsonb_strip_nulls(coalesce(${stored}::jsonb, '{}') || coalesce(${given}::jsonb, '{}')), '{}')`

const metaOf = (level: Sql, notes: Sql): Sql =>
  sql`coalesce(${notes}::jsonb, '{}') || jsonb_build_object('maliciousness', coalesce(${level}::text, 'unknown'))`

const difference = (before: Sql, after: Sql): Sql =>
  sql`jsonb_build_object('meta', jsonb_build_array(${before}, ${after}))`
