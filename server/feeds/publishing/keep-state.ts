import { type RawBuilder, sql } from 'kysely'
import { uuidList } from '../../fast/binary-arrays.ts'
import { CORVUS } from '../../formats/stix2/extension.ts'
import type { Snapshot } from '../../intelligence/by-query/snapshot.ts'
import { analyzeTable, type Stage } from './stage.ts'

const BATCH_SIZE = 10_000

/** Stages which entities are in the content, in addition to its items. */
export async function stageEntities(stage: Stage, found: Snapshot): Promise<void> {
  await sql`create temporary table feed_entities_now (id uuid not null)`.execute(stage)
  for (let from = 0; from < found.count; from += BATCH_SIZE) {
    // Placeholders are not content.
    await sql`
      insert into feed_entities_now
      select t.id from entities as t
      where t.id = any(${uuidList(found.slice(from, from + BATCH_SIZE))}::uuid[]) and not t.is_unresolved`.execute(
      stage,
    )
  }
  await analyzeTable(stage, 'feed_entities_now', found.count)
}

/** Stores which entities are in the content of a feed now. */
export async function keepEntities(stage: Stage, feed: number): Promise<void> {
  await sql`
    delete from outgoing_feed_entities as l
    where l.source = ${feed} and not exists (select from feed_entities_now as n where n.id = l.target)`.execute(stage)
  await sql`
    insert into outgoing_feed_entities (source, target)
    select ${feed}, n.id from feed_entities_now as n
    on conflict do nothing`.execute(stage)
}

/** Stores what consumers hold after applying the block. Of a revoked item, only the time is kept. */
export async function keepItems(stage: Stage, feed: number): Promise<void> {
  await sql`
    delete from outgoing_feed_items as t using feed_differences as d
    where t.feed = ${feed} and t.key = d.key and d.kind = 'went'`.execute(stage)
  await sql`
    insert into outgoing_feed_items as t (feed, key, hash, content, subject, modified)
    select ${feed}, n.key, n.hash, case when n.hash <> ''::bytea then n.content end, n.subject, n.modified
    from feed_differences as d join feed_now as n on n.place = d.place
    on conflict (feed, key) do update
    set hash = excluded.hash, content = excluded.content, subject = excluded.subject, modified = excluded.modified`.execute(
    stage,
  )
}

/** The latest objects of a collection, in the form of `heldItems`. */
export const heldObjects = (feed: number): RawBuilder<unknown> => sql`(
  select stix_id as key, hash, object as content,
    case when ${hasVersions} then version end as modified
  from collection_objects
  where feed = ${feed} and is_latest)`

/** Objects that can be revoked. An object without a time has the time it was added as its version. */
const hasVersions = sql`
  type not in ('marking-definition', 'extension-definition') and stix_id <> ${CORVUS.id} and version <> added_at`

/**
 * Brings a collection up to date. No two objects get the same time of addition, and all of them a later one than existing objects, so
 * that a client that asks for what was added after any of them misses nothing.
 */
export async function keepCollection(stage: Stage, feed: number, isReplaced: boolean): Promise<void> {
  if (isReplaced) {
    await sql`
      delete from collection_objects as t using feed_differences as d
      where t.feed = ${feed} and t.stix_id = d.key and d.kind = 'went'`.execute(stage)
  }
  const { numAffectedRows } = await sql`
    create temporary table feed_added as
    select n.key, n.hash, n.content, l.added_at, coalesce(n.version, l.added_at) as version
    from (
      select d.place,
        (select greatest(clock_timestamp(), max(o.added_at)) from collection_objects as o where o.feed = ${feed})
          + row_number() over (order by d.place) * interval '1 microsecond' as added_at
      from feed_differences as d
      where d.place is not null
    ) as l join feed_now as n on n.place = l.place`.execute(stage)
  await analyzeTable(stage, 'feed_added', Number(numAffectedRows ?? 0))
  await sql`
    update collection_objects as t set is_latest = false
    from feed_added as n
    where t.feed = ${feed} and t.is_latest and t.stix_id = n.key`.execute(stage)
  await sql`
    delete from collection_objects as t using feed_added as n
    where t.feed = ${feed} and t.stix_id = n.key and t.version = n.version`.execute(stage)
  await sql`
    insert into collection_objects (feed, added_at, stix_id, type, spec_version, version, is_latest, hash, object)
    select ${feed}, n.added_at, n.key, split_part(n.key, '--', 1), '2.1', n.version, true, n.hash, n.content
    from feed_added as n`.execute(stage)
}
