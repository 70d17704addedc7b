import { type RawBuilder, sql } from 'kysely'
import type { Context, Item } from '../../engine/context.ts'
import { forbidden } from '../../engine/errors.ts'
import { integerList, textList } from '../../fast/binary-arrays.ts'
import { holdsKey, sightOf } from '../../identity/access/sight.ts'
import { keyOf } from '../../identity/access/visibility.ts'
import type { Maliciousness } from '../entities/observables-in.ts'
import { loggedDiffs } from './logged.ts'
import { isOwn, lowestRank } from './sight.ts'

type Sql = RawBuilder<unknown>

/** The `meta` of an observable as it was sent: a verdict, and further properties of clients, called notes. */
export interface SentMeta {
  readonly id: number
  readonly meta: Item
}

/** The visible notes on the observable `t`. If sources differ, those of the caller's groups take precedence. */
export const notesOn = (ctx: Context): Sql => sql`(
  select jsonb_object_agg(note.key, note.value order by ${isOwn(ctx, sql`r.vis`)}, r.last_updated_at, r.vis)
  from observable_records as r cross join lateral jsonb_each(r.notes) as note
  where r.observable = t.id and r.notes is not null and ${holdsKey(ctx, sql`r.vis`)})`

/**
 * Sets verdicts and notes in the visible records of the caller's own sources or, if there are none, in a new record of their first
 * group. The colour of a new record is at least the lowest at which the caller sees the observable. `unknown` removes a verdict,
 * and null a note.
 */
export async function setMeta(ctx: Context, sent: readonly SentMeta[]): Promise<void> {
  const all = sent.map(partsOf).filter(({ level, notes }) => level !== null || notes !== null)
  if (all.length === 0) return
  const { home } = sightOf(ctx)
  if (home === null) throw forbidden('meta: cannot be set, because you are not in a group')
  const user = sql`nullif(${ctx.caller.id}::integer, 0)`
  await sql`
    with sent as materialized (
      select i.id, i.level is not null as is_rated, nullif(i.level, 'unknown') as level, coalesce(i.notes, '{}')::jsonb as notes
      from unnest(
        ${integerList(all.map(({ id }) => id))}::integer[],
        ${textList(all.map(({ level }) => level))}::text[],
        ${textList(all.map(({ notes }) => notes))}::text[]) as i(id, level, notes)
    ), own as materialized (
      select r.observable as id, r.vis, r.maliciousness as old_level, r.notes as old_notes,
        case when sent.is_rated then sent.level else r.maliciousness end as level,
        ${merged(sql`r.notes`, sql`sent.notes`)} as notes
      from sent join observable_records as r on r.observable = sent.id
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
      select o.id, ${keyOf(sql`s.number`, lowestRank(ctx, 'o'))}, sent.level, ${merged(sql`null`, sql`sent.notes`)}, ${user}, ${user}
      from sent join observables as o on o.id = sent.id cross join sources as s
      where s.id = ${home} and sent.id not in (select id from own)
        and (sent.level is not null or ${merged(sql`null`, sql`sent.notes`)} is not null)
      order by 1, 2
      on conflict (observable, vis) do update
        set maliciousness = coalesce(excluded.maliciousness, r.maliciousness), notes = ${merged(sql`r.notes`, sql`excluded.notes`)},
          last_updated_at = now(), last_updated_by = excluded.last_updated_by
      returning observable as id, vis,
        ${difference(metaOf(sql`null`, sql`null`), metaOf(sql`maliciousness`, sql`notes`))} as diff
    ), logged as (${loggedDiffs(ctx, sql`(select * from changed union all select * from made)`)})
    select`.execute(ctx.db)
}

interface Parts {
  readonly id: number
  /** Null if it was not sent. */
  readonly level: Maliciousness | null
  readonly notes: string | null
}

/** Splits sent `meta` into the values of its columns. */
export function partsOf({ id, meta }: SentMeta): Parts {
  const { maliciousness, ...notes } = meta
  return {
    id,
    level: (maliciousness as Maliciousness | undefined) ?? null,
    notes: Object.keys(notes).length > 0 ? JSON.stringify(notes) : null,
  }
}

/** Merges notes into stored ones. Null if none are left. */
export const merged = (stored: Sql, given: Sql): Sql =>
  sql`nullif(jsonb_strip_nulls(coalesce(${stored}::jsonb, '{}') || coalesce(${given}::jsonb, '{}')), '{}')`

const metaOf = (level: Sql, notes: Sql): Sql =>
  sql`coalesce(${notes}::jsonb, '{}') || jsonb_build_object('maliciousness', coalesce(${level}::text, 'unknown'))`

const difference = (before: Sql, after: Sql): Sql =>
  sql`jsonb_build_object('meta', jsonb_build_array(${before}, ${after}))`
