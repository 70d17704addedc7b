import { type RawBuilder, sql } from 'kysely'
import { holdsKey, sightOf } from '../../auth/sight.ts'
import { integerList, textList, uuidList } from '../../engine/binary.ts'
import { forbidden } from '../../engine/errors.ts'
import type { Link } from '../../engine/reference.ts'
import type { Context } from '../../engine/resource.ts'
import type { Maliciousness } from '../entities/observables-in.ts'
import { notedByKey, notedDiffs } from './noted.ts'
import { isOwn, lowestRank } from './sight.ts'

/** Gives observables records of sources, where the caller sees none of theirs yet. */
export async function addRecords(
  ctx: Context,
  pairs: readonly { readonly id: number; readonly source: string; readonly level?: Maliciousness | undefined }[],
): Promise<void> {
  await sql`
    with made as (
      insert into observable_records (observable, vis, maliciousness, created_by, last_updated_by)
      select i.id, s.number * 8, nullif(i.level, 'unknown'), nullif(${ctx.caller.id}::integer, 0), nullif(${ctx.caller.id}::integer, 0)
      from unnest(
        ${integerList(pairs.map(({ id }) => id))}::integer[],
        ${uuidList(pairs.map(({ source }) => source))}::uuid[],
        ${textList(pairs.map(({ level }) => level ?? null))}::text[]) as i(id, source, level)
      join sources as s on s.id = i.source
      where not exists (
        select from observable_records as r
        where r.observable = i.id and r.vis between s.number * 8 and s.number * 8 + 7 and ${holdsKey(ctx, sql`r.vis`)})
      order by 1, 2
      on conflict do nothing
      returning observable as id, vis
    ), noted as (${notedByKey(ctx, 'create', sql`made`)})
    select`.execute(ctx.db)
}

/** Takes away the records that the caller sees of other sources than these. */
export async function removeOtherRecords(
  ctx: Context,
  setters: readonly { readonly id: number; readonly sources: readonly Link[] }[],
): Promise<void> {
  const kept = setters.flatMap(({ id, sources }) => sources.map((source) => ({ id, source: String(source.id) })))
  await sql`
    with gone as (
      delete from observable_records as r
      where r.observable = any(${integerList(setters.map(({ id }) => id))}::integer[]) and ${holdsKey(ctx, sql`r.vis`)}
        and (r.observable, r.vis >> 3) not in (
          select i.id, s.number
          from unnest(
            ${integerList(kept.map(({ id }) => id))}::integer[],
            ${uuidList(kept.map(({ source }) => source))}::uuid[]) as i(id, source)
          join sources as s on s.id = i.source)
      returning r.observable as id, r.vis
    ), noted as (${notedByKey(ctx, 'update', sql`gone`)})
    select`.execute(ctx.db)
}

/** A verdict on an observable. */
export interface Verdict {
  readonly id: number
  readonly maliciousness: Maliciousness
}

/**
 * Sets the verdicts of the caller's own sources: on the records of theirs that they see, or else on a new one of their first
 * group. A new record is seen at no lower colour than the observable was by who gave the verdict. `unknown` takes it back.
 */
export async function setVerdicts(ctx: Context, verdicts: readonly Verdict[]): Promise<void> {
  if (verdicts.length === 0) return
  const { home } = sightOf(ctx)
  if (home === null) throw forbidden('meta.maliciousness: you are in no group in whose name it could be set')
  await sql`
    with said as materialized (
      select i.id, nullif(i.level, 'unknown') as level
      from unnest(
        ${integerList(verdicts.map(({ id }) => id))}::integer[],
        ${textList(verdicts.map(({ maliciousness }) => maliciousness))}::text[]) as i(id, level)
    ), own as materialized (
      select r.observable as id, r.vis, r.maliciousness as before, said.level
      from said join observable_records as r on r.observable = said.id
      where ${holdsKey(ctx, sql`r.vis`)} and ${isOwn(ctx, sql`r.vis`)}
      order by r.observable, r.vis
      for update of r
    ), changed as (
      update observable_records as r
      set maliciousness = own.level, last_updated_at = now(), last_updated_by = nullif(${ctx.caller.id}::integer, 0)
      from own
      where r.observable = own.id and r.vis = own.vis and own.before is distinct from own.level
      returning r.observable as id, r.vis, ${difference(sql`own.before`, sql`own.level`)} as diff
    ), made as (
      insert into observable_records (observable, vis, maliciousness, created_by, last_updated_by)
      select o.id, s.number * 8 + ${lowestRank(ctx, 'o')}, said.level, nullif(${ctx.caller.id}::integer, 0),
        nullif(${ctx.caller.id}::integer, 0)
      from said join observables as o on o.id = said.id cross join sources as s
      where s.id = ${home} and said.level is not null and said.id not in (select id from own)
      order by 1, 2
      on conflict (observable, vis) do update
        set maliciousness = excluded.maliciousness, last_updated_at = now(), last_updated_by = excluded.last_updated_by
      returning observable as id, vis, ${difference(sql`null`, sql`maliciousness`)} as diff
    ), noted as (${notedDiffs(ctx, sql`(select * from changed union all select * from made)`)})
    select`.execute(ctx.db)
}

const difference = (before: RawBuilder<unknown>, after: RawBuilder<unknown>): RawBuilder<unknown> => {
  const meta = (level: RawBuilder<unknown>) =>
    sql`jsonb_build_object('maliciousness', coalesce(${level}::text, 'unknown'))`
  return sql`jsonb_build_object('meta', jsonb_build_array(${meta(before)}, ${meta(after)}))`
}
