import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { keepOwnTasks, removeOwnTasks } from '../../background/owned-tasks.ts'
import { tlpOf } from '../../domain/tlp.ts'
import { itemPath } from '../../engine/bulk-errors.ts'
import type { AnyRow, Context, Item } from '../../engine/context.ts'
import type { Operations } from '../../engine/definition.ts'
import { notFound } from '../../engine/errors.ts'
import { fetchRows } from '../../engine/fetch.ts'
import { mergeDocuments } from '../../engine/merge.ts'
import type { Id } from '../../engine/reference.ts'
import { standard } from '../../engine/standard.ts'
import { replace } from '../../engine/write.ts'
import { sightOf } from '../../identity/access/sight.ts'
import { removableSources, removeSources, syncOwnedSources } from '../../identity/owned-sources.ts'
import { sweepSoon } from '../../intelligence/stored-blobs/sweep-soon.ts'
import { serverSetting } from '../../settings/server.ts'
import { readSetting } from '../../settings/setting.ts'
import { FEEDS } from '../feed-tasks.ts'
import { checkTransport, type StoredTransport } from './check-transport.ts'

/** The operations of incoming feeds. Each feed owns a source and a task, which are created, changed and deleted with it. */
export const operations: Operations = {
  ...standard,
  create: async (ctx, resource, item) => {
    const [ready = item] = await withStoredColours(ctx, [checkTransport(ctx, withConfiguration(item), undefined)])
    const { id } = await standard.create(ctx, resource, ready)
    await syncSourcesAndTasks(ctx, [id])
    return await standard.get(ctx, resource, id)
  },
  upsert: async (ctx, resource, items: Item[]) => {
    const before = await lockFeeds(
      ctx,
      'name',
      items.map(({ name }) => name),
    )
    const byName = new Map(before.map((feed) => [feed.name, feed]))
    const ready = items.map((item, i) => {
      const stored = byName.get(String(item.name))
      return checkTransport(ctx, stored ? item : withConfiguration(item), stored, itemPath(items, i))
    })
    const { rows, created } = await standard.upsert(ctx, resource, await withStoredColours(ctx, ready))
    const ids = rows.map(({ id }) => id)
    await resetCursors(ctx, before, ids)
    await syncSourcesAndTasks(ctx, ids)
    return { rows: await fetchRows(ctx, resource, ids), created }
  },
  update: async (ctx, resource, id, patch: Item) => {
    const [stored] = await lockFeeds(ctx, 'id', [id])
    if (!stored) throw notFound(id)
    const merged = mergeDocuments(resource, { ...stored }, patch)
    const [ready = merged] = await withStoredColours(ctx, [checkTransport(ctx, merged, stored)])
    await replace(ctx, resource, id, ready)
    await resetCursors(ctx, [stored], [id])
    await syncSourcesAndTasks(ctx, [id])
    return await standard.get(ctx, resource, id)
  },
  remove: async (ctx, resource, ids) => {
    // The lock waits for imports of these feeds that are in progress.
    await lockFeeds(ctx, 'id', ids)
    const sources = await removableSources(ctx.db, 'incoming_feeds', ids, 'purge the feed first')
    await sql`
      delete from files where id in (
        select b.file from incoming_blobs as b where b.feed = any(${ids}::integer[]))`.execute(ctx.db)
    await removeOwnTasks(ctx, FEEDS.incoming_feeds, ids)
    await standard.remove(ctx, resource, ids)
    await removeSources(ctx.db, sources)
    await sweepSoon(ctx)
  },
}

/** A new feed always has a configuration, if only the defaults. */
const withConfiguration = (item: Item): Item => ({
  ...item,
  transport_configuration: item.transport_configuration ?? {},
})

interface StoredFeed extends StoredTransport, AnyRow {
  readonly id: number
  readonly name: string
}

/** The stored feeds, locked until the request ends. */
async function lockFeeds(ctx: Context, by: 'id' | 'name', keys: readonly unknown[]): Promise<StoredFeed[]> {
  const { rows } = await sql<StoredFeed>`
    select id, name, transport_type, transport_configuration, transport_secrets, execution_schedule, update_strategy
    from incoming_feeds
    where ${sql.ref(by)} = any(${keys}::${sql.raw(by === 'id' ? 'integer' : 'text')}[])
    order by id
    for update`.execute(ctx.db)
  return rows
}

/** A feed whose transport or strategy changed starts from the beginning; content that it already fetched is not stored again. */
async function resetCursors(ctx: Context, before: readonly StoredFeed[], ids: readonly Id[]): Promise<void> {
  if (before.length === 0) return
  const { rows } = await sql<StoredTransport & { id: number }>`
    select id, transport_type, transport_configuration, update_strategy from incoming_feeds
    where id = any(${ids}::integer[])`.execute(ctx.db)
  const after = new Map(rows.map((row) => [row.id, row]))
  const transportOf = (feed: StoredTransport | undefined) => [
    feed?.transport_type,
    feed?.transport_configuration,
    feed?.update_strategy,
  ]
  const changed = before.filter((feed) => !isDeepStrictEqual(transportOf(feed), transportOf(after.get(feed.id))))
  if (changed.length === 0) return
  await sql`
    update incoming_feeds set cursor = null where id = any(${changed.map(({ id }) => id)}::integer[])`.execute(ctx.db)
}

/** Creates or updates the sources and tasks of feeds; the first group of the caller sees new sources in full. */
async function syncSourcesAndTasks(ctx: Context, ids: readonly Id[]): Promise<void> {
  const made = await syncOwnedSources(ctx.db, 'incoming_feeds', ids)
  await sql`
    insert into group_sources (source, target, allowed_tlp)
    select g.id, s.id, 'RED'
    from groups as g cross join unnest(${made}::uuid[]) as s(id)
    where g.source = ${sightOf(ctx).home}::uuid`.execute(ctx.db)
  await keepOwnTasks(ctx.db, FEEDS.incoming_feeds, ids)
}

/** Converts TLP 2.0 colours to the older ones that are stored. */
async function withStoredColours(ctx: Context, items: readonly Item[]): Promise<Item[]> {
  const isColoured = ({ tlp_color_override: colour }: Item) => typeof colour === 'string'
  if (!items.some(isColoured)) return [...items]
  const { tlp_amber_strict_downgrade: downgrade } = await readSetting(ctx.db, serverSetting)
  return items.map((item) =>
    isColoured(item) ? { ...item, tlp_color_override: tlpOf(String(item.tlp_color_override), downgrade) } : item,
  )
}
