import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Context, Item } from '../../../engine/context.ts'
import { retry } from '../../../engine/errors.ts'
import { holdsKey } from '../../../identity/access/sight.ts'
import { rankOf } from '../../../identity/access/visibility.ts'
import { rankOfColour } from '../../enrichers/requests/candidates.ts'
import type { SeenSample } from './samples.ts'
import { UNDER_WAY } from './states.ts'

/** A sample for a detonator, which may have it. */
export interface Asked {
  readonly detonator: number
  readonly sample: SeenSample
  readonly options: Item
  /** Whether the content was stored for this request alone. */
  readonly isKept?: boolean
  /** Whether it is submitted even if there is a result, or the vendor knows it. */
  readonly isForced?: boolean
}

export const IS_UNDER_WAY = sql`state in (${sql.join(UNDER_WAY.map((state) => sql.lit(state)))})`

/** Identifies what is submitted: equal for equal content and options. */
export const keyOf = ({ kind, sha256, url }: SeenSample, options: Item): string =>
  hash('sha256', JSON.stringify([kind, sha256 ?? url, sortedByName(options)]))

const sortedByName = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortedByName)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => [name, sortedByName(inner)])
}

/**
 * Records what the caller asks of detonators, in the transaction `ctx.db`, and returns the ids of the detonations in the order of the
 * request. A sample that is under way, or that has a valid result which the caller sees, is not submitted again. One that is forced joins only
 * another that is.
 */
export async function ask(ctx: Context, asked: readonly Asked[]): Promise<string[]> {
  if (asked.length === 0) return []
  const rows = asked.map(({ detonator, sample, options, isKept = false, isForced = false }, i) => ({
    ...sample,
    position: i,
    detonator,
    options,
    key: keyOf(sample, options),
    sample: isKept ? sample.sha256 : null,
    is_forced: isForced,
  }))
  const wanted = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as i(
    position integer, detonator integer, key text, kind text, sample text, size bigint, md5 text, sha1 text, sha256 text, url text,
    options jsonb, via text, filename text, file integer, attachment uuid, observable integer, origin uuid, given smallint, rank smallint,
    is_forced boolean)`
  const { rows: known } = await sql<{ position: number; id: string }>`
    select i.position, latest.id
    from ${wanted}
    join detonators as d on d.id = i.detonator
    cross join lateral (
      select t.id from detonations as t
      where t.detonator = i.detonator and t.key = i.key and t.state = 'FINISHED' and t.expires_at > now() and not i.is_forced
        and ${rankOf(sql`t.vis`)} <= greatest(i.rank, ${rankOfColour(sql`d.tlp_color`)}) and ${holdsKey(ctx, sql`t.vis`)}
      order by t.finished_at desc
      limit 1
    ) as latest`.execute(ctx.db)
  const ids = new Map(known.map(({ position, id }) => [position, id]))
  const isNew = sql`i.position <> all(${[...ids.keys()]}::integer[])`
  await sql`
    insert into detonations (detonator, key, kind, sample, size, md5, sha1, sha256, url, options, is_forced)
    select distinct on (i.detonator, i.key) i.detonator, i.key, i.kind, i.sample, i.size, i.md5, i.sha1, i.sha256, i.url, i.options, i.is_forced
    from ${wanted}
    where ${isNew} and not exists (
      select from detonations as t
      where t.detonator = i.detonator and t.key = i.key and t.${IS_UNDER_WAY} and t.is_forced >= i.is_forced)
    order by i.detonator, i.key, i.position
    on conflict (detonator, key, is_forced) where ${IS_UNDER_WAY} do nothing`.execute(ctx.db)
  // Locked, so that none of them is cancelled for its other requesters at the same time.
  const { rows: joined } = await sql<{ position: number; id: string }>`
    with held as materialized (
      select t.id, t.detonator, t.key, t.is_forced from detonations as t
      where (t.detonator, t.key) in (select i.detonator, i.key from ${wanted} where ${isNew}) and t.${IS_UNDER_WAY}
      order by t.detonator, t.key, t.is_forced
      for update
    )
    select distinct on (i.position) i.position, held.id
    from ${wanted} join held on held.detonator = i.detonator and held.key = i.key and held.is_forced >= i.is_forced
    where ${isNew}
    order by i.position, held.is_forced`.execute(ctx.db)
  for (const { position, id } of joined) ids.set(position, id)
  if (ids.size < asked.length) throw retry('A detonation ended during the request.')
  await addRequesters(
    ctx,
    rows.map((row) => ({ ...row, detonation: ids.get(row.position) })),
  )
  return asked.map((_, i) => ids.get(i) ?? '')
}

/** Notes that the caller asked. Who cancelled it and asks again gets it again. */
async function addRequesters(ctx: Context, rows: readonly Item[]): Promise<void> {
  await sql`
    insert into detonation_requesters as r (
      detonation, "user", via, filename, file, attachment, observable, origin, rank, depth, is_told)
    select distinct on (i.detonation) i.detonation, ${ctx.caller.id}::integer, i.via, i.filename, i.file, i.attachment, i.observable, i.origin,
      i.given, ${ctx.cause?.depth ?? 0}::smallint, t.state = 'FINISHED'
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as i(
      position integer, detonation uuid, via text, filename text, file integer, attachment uuid, observable integer, origin uuid, given smallint)
    join detonations as t on t.id = i.detonation
    order by i.detonation, i.position
    on conflict (detonation, "user") do update
    set outcome = null, reason = null, ended_at = null, requested_at = now(), is_told = excluded.is_told, via = excluded.via, filename = excluded.filename,
      file = excluded.file, attachment = excluded.attachment, observable = excluded.observable, origin = excluded.origin,
      rank = excluded.rank, depth = excluded.depth
    where r.outcome is not null`.execute(ctx.db)
}
