import { type RawBuilder, sql } from 'kysely'
import { mayReadDetails } from '../../background/run-details.ts'
import type { Context } from '../../engine/context.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { holdsKey, seesSource } from '../../identity/access/sight.ts'
import { keysOf } from '../../identity/access/visibility.ts'
import { mayReadContent } from '../outgoing/content-access.ts'
import type { FeedTable } from './read-health.ts'

/** A day of an incoming feed. */
interface IncomingDay {
  readonly date: string
  readonly blobs: number
  readonly bytes: number
  /** Objects fetched that day by outcome (created, updated, refused and so on), from runs whose details the caller may read. */
  readonly objects: Readonly<Record<string, number>>
}

/** What an incoming feed has received. */
export interface IncomingContent {
  /** By state. */
  readonly blobs: Readonly<Record<string, number>>
  /** What exists now and the caller sees. */
  readonly entities: number
  readonly observables: number
  readonly relationships: number
  readonly days: readonly IncomingDay[]
}

/** Reads what an incoming feed has received, for callers who see its source; two statements. */
export async function incomingContent(ctx: Context, feed: number, days: number): Promise<IncomingContent> {
  const { rows } = await sql<Omit<IncomingContent, 'days'>>`
    with own as materialized (
      select s.id, array(
        select k.key from unnest(${keysOf(sql`s.number`)}) as k(key) where ${holdsKey(ctx, sql`k.key`)}
      ) as keys
      from incoming_feeds as f join sources as s on s.id = f.source
      where f.id = ${feed}
    ), seen as (
      select e.id from entities as e where e.vis = any((select keys from own)::integer[])
    ), states as (
      select b.state, count(*) as count from incoming_blobs as b where b.feed = ${feed} group by b.state
    )
    select (select coalesce(jsonb_object_agg(state, count), '{}') from states) as blobs,
      (select count(*) from seen) as entities,
      (
        select count(*) from (
          select r.observable as id from observable_records as r where r.vis = any((select keys from own)::integer[])
          union
          select l.target from entity_observables as l where l.source in (select id from seen)
        ) as o
      ) as observables,
      (
        select count(*) from relationships as t
        where t.vis && (select keys from own) and ${visible(ctx, resourceOf(ctx, 'relationships'))}
      ) as relationships`.execute(ctx.db)
  const counts = rows[0] ?? { blobs: {}, entities: 0, observables: 0, relationships: 0 }
  return { ...counts, days: await incomingDays(ctx, feed, days) }
}

/** The last days in UTC, oldest first. */
const lastDays = (days: number) => sql`
  select d::date as date from generate_series(current_date - ${days - 1}::integer, current_date, interval '1 day') as d`

async function incomingDays(ctx: Context, feed: number, days: number): Promise<IncomingDay[]> {
  const { rows } = await sql<IncomingDay>`
    with span as (${lastDays(days)}), fetched as materialized (
      select b.fetched_at::date as date, b.size, case when ${mayReadDetails(ctx, 'r')} then b.result end as result
      from incoming_blobs as b left join task_runs as r on r.id = b.run
      where b.feed = ${feed} and b.fetched_at >= (select min(date) from span)
    ), sums as (
      select date, count(*) as blobs, sum(size)::bigint as bytes from fetched group by date
    ), outcomes as (
      select f.date, o.outcome, sum(o.count::bigint)::bigint as count
      from fetched as f, jsonb_each(coalesce(f.result, '{}')) as k(kind, counts),
        jsonb_each_text(case jsonb_typeof(k.counts) when 'object' then k.counts else '{}' end) as o(outcome, count)
      group by f.date, o.outcome
    )
    select span.date::text as date, coalesce(s.blobs, 0) as blobs, coalesce(s.bytes, 0) as bytes,
      (select coalesce(jsonb_object_agg(o.outcome, o.count), '{}') from outcomes as o where o.date = span.date) as objects
    from span left join sums as s on s.date = span.date
    order by span.date`.execute(ctx.db)
  return rows
}

/** A day of an outgoing feed. */
interface OutgoingDay {
  readonly date: string
  readonly blocks: number
  readonly items: number
  readonly bytes: number
}

/** What an outgoing feed has written. */
export interface OutgoingContent {
  /** By delivery status. */
  readonly blocks: Readonly<Record<string, number>>
  /** In all blocks together; `latest_items` counts those of the latest block. */
  readonly items: number
  readonly latest_items: number | null
  /** The collection of a TAXII feed. */
  readonly collection_objects: number
  readonly collection_versions: number
  readonly last_added_at: string | null
  readonly days: readonly OutgoingDay[]
}

/** Reads what an outgoing feed has written, for callers who may read its content; two statements. */
export async function outgoingContent(ctx: Context, feed: number, days: number): Promise<OutgoingContent> {
  const { rows } = await sql<Omit<OutgoingContent, 'days'>>`
    with states as (
      select t.delivery_status, count(*) as count, sum(t.items_count)::bigint as items
      from content_blocks as t
      where t.outgoing_feed = ${feed}
      group by t.delivery_status
    )
    select (select coalesce(jsonb_object_agg(delivery_status, count), '{}') from states) as blocks,
      (select coalesce(sum(items), 0)::bigint from states) as items,
      (
        select t.items_count from content_blocks as t where t.outgoing_feed = ${feed} order by t.id desc limit 1
      ) as latest_items,
      count(*) filter (where o.is_latest) as collection_objects, count(*) as collection_versions,
      max(o.added_at) as last_added_at
    from collection_objects as o
    where o.feed = ${feed}`.execute(ctx.db)
  if (!rows[0]) throw new TypeError('The count returned no row.')
  return { ...rows[0], days: await outgoingDays(ctx, feed, days) }
}

async function outgoingDays({ db }: Context, feed: number, days: number): Promise<OutgoingDay[]> {
  const { rows } = await sql<OutgoingDay>`
    with span as (${lastDays(days)}), sums as (
      select t.created_at::date as date, count(*) as blocks, sum(t.items_count)::bigint as items, sum(t.size)::bigint as bytes
      from content_blocks as t
      where t.outgoing_feed = ${feed} and t.created_at >= (select min(date) from span)
      group by t.created_at::date
    )
    select span.date::text as date, coalesce(s.blocks, 0) as blocks, coalesce(s.items, 0) as items,
      coalesce(s.bytes, 0) as bytes
    from span left join sums as s on s.date = span.date
    order by span.date`.execute(db)
  return rows
}

/** Whether the caller may know how much the feed `f` receives or writes, as a condition. */
export const maySeeContent = (ctx: Context, table: FeedTable): RawBuilder<unknown> =>
  table === 'incoming_feeds' ? seesSource(ctx, sql`f.source`) : mayReadContent(ctx, 'f')

/** What is counted per day: blobs received or items sent. */
const DAILY_AMOUNTS: Readonly<Record<FeedTable, RawBuilder<unknown>>> = {
  incoming_feeds: sql`
    select b.feed, b.fetched_at::date as date, count(*) as amount
    from incoming_blobs as b
    where b.fetched_at >= (select min(date) from span)
    group by 1, 2`,
  outgoing_feeds: sql`
    select b.outgoing_feed as feed, b.created_at::date as date, sum(b.items_count)::bigint as amount
    from content_blocks as b
    where b.created_at >= (select min(date) from span)
    group by 1, 2`,
}

/** Reads the daily volumes of all feeds of a kind that the caller may know about, by feed id, oldest day first. */
export async function readVolumes(
  ctx: Context,
  table: FeedTable,
  days: number,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const { rows } = await sql<{ id: number; amounts: number[] }>`
    with span as materialized (${lastDays(days)}), sums as materialized (${DAILY_AMOUNTS[table]})
    select f.id, json_agg(coalesce(s.amount, 0) order by span.date) as amounts
    from ${sql.table(table)} as f cross join span left join sums as s on s.feed = f.id and s.date = span.date
    where ${maySeeContent(ctx, table)}
    group by f.id`.execute(ctx.db)
  return new Map(rows.map(({ id, amounts }) => [id, amounts]))
}
