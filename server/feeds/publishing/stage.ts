import { type Kysely, type RawBuilder, sql } from 'kysely'
import { bytesList, textList } from '../../fast/binary-arrays.ts'
import type { ContentItem } from '../../formats/items/content-item.ts'

/**
 * The connection whose temporary tables hold the content to send now. It has no long transaction: a transaction that writes, even to
 * temporary tables, would delay change streams, which wait for older writers.
 */
export type Stage = Kysely<unknown>

/** What happened to an item since the last run. Consumers have to be told about `revoked` ones. */
export type Difference = 'came' | 'changed' | 'went' | 'revoked'

/** The limits of one batch. */
const BATCH_ITEMS = 1000
const BATCH_CHARACTERS = 1_000_000

/** Creates the table for the items to send now. */
export async function openStage(stage: Stage): Promise<void> {
  await sql`
    create temporary table feed_now (
      place bigint not null,
      key text collate "C" not null,
      hash bytea not null,
      content text,
      subject bytea,
      modified timestamptz,
      version timestamptz
    )`.execute(stage)
}

/** Drops all temporary tables. */
export async function dropStage(db: Kysely<unknown>): Promise<void> {
  await sql`drop table if exists pg_temp.feed_now, pg_temp.feed_differences, pg_temp.feed_entities_now, pg_temp.feed_added`.execute(
    db,
  )
}

/** Appends items in their order, and returns their total number. */
export async function stageItems(
  stage: Stage,
  items: AsyncIterable<ContentItem> | Iterable<ContentItem>,
  from = 0,
): Promise<number> {
  let place = from
  let batch: ContentItem[] = []
  let characters = 0
  const flush = async () => {
    if (batch.length > 0) await insert(stage, place, batch)
    place += batch.length
    batch = []
    characters = 0
  }
  for await (const item of items) {
    batch.push(item)
    characters += item.content?.length ?? 0
    if (batch.length === BATCH_ITEMS || characters > BATCH_CHARACTERS) await flush()
  }
  await flush()
  return place
}

const insert = (stage: Stage, place: number, batch: readonly ContentItem[]) =>
  sql`
  insert into feed_now (place, key, hash, content, subject, modified, version)
  select ${place}::bigint + i.n, i.key, i.hash, i.content, i.subject, i.modified::timestamptz, i.version::timestamptz
  from unnest(
    ${textList(batch.map(({ key }) => key))}::text[],
    ${bytesList(batch.map(({ hash }) => hash))}::bytea[],
    ${textList(batch.map(({ content }) => content))}::text[],
    ${bytesList(batch.map(({ subject }) => subject))}::bytea[],
    ${textList(batch.map(({ modified }) => modified))}::text[],
    ${textList(batch.map(({ version }) => version))}::text[]
  ) with ordinality as i(key, hash, content, subject, modified, version, n)`.execute(stage)

/** The items that consumers of a feed's blocks hold, as columns `key`, `hash`, `content`, `subject`, `modified`. */
export const heldItems = (feed: number): RawBuilder<unknown> =>
  sql`(select key, hash, content, subject, modified from outgoing_feed_items where feed = ${feed})`

/**
 * Compares the staged items with those that consumers hold, and stores the differences. A revoked item counts as absent: if it returns,
 * it was added.
 */
export async function compare(stage: Stage, held: RawBuilder<unknown>, staged: number): Promise<void> {
  await analyzeTable(stage, 'feed_now', staged)
  const { numAffectedRows } = await sql`
    create temporary table feed_differences as
    select n.place, coalesce(n.key, h.key) as key, h.modified as held_modified,
      case when n.key is null then 'went' when h.key is null or h.hash = ''::bytea then 'came' else 'changed' end as kind
    from feed_now as n full join ${held} as h on h.key = n.key
    where n.hash is distinct from h.hash and not (n.key is null and h.hash = ''::bytea)`.execute(stage)
  await analyzeTable(stage, 'feed_differences', Number(numAffectedRows ?? staged))
}

/** From this many rows on, analyzing a temporary table pays off; autovacuum does not do it. */
const MIN_ANALYZED_ROWS = 500

/** Updates the planner statistics of a table with this many rows. */
export async function analyzeTable(stage: Stage, table: string, rows: number): Promise<void> {
  if (rows >= MIN_ANALYZED_ROWS) await sql`analyze ${sql.table(table)}`.execute(stage)
}

/** The number of differences by kind. */
export async function countDifferences(stage: Stage): Promise<Record<Difference, number>> {
  const { rows } = await sql<{ kind: Difference; count: number }>`
    select kind, count(*) as count from feed_differences group by kind`.execute(stage)
  return { came: 0, changed: 0, went: 0, revoked: 0, ...Object.fromEntries(rows.map((row) => [row.kind, row.count])) }
}

const FETCH_SIZE = 200

/** Reads any number of rows in small portions by a cursor; queries that are read at the same time need different names. */
export async function* rowsOf<R>(stage: Stage, name: string, query: RawBuilder<R>): AsyncGenerator<R> {
  const cursor = sql.id(name)
  await sql`declare ${cursor} no scroll cursor with hold for ${query}`.execute(stage)
  for (;;) {
    const { rows } = await sql<R>`fetch ${sql.raw(String(FETCH_SIZE))} from ${cursor}`.execute(stage)
    yield* rows
    if (rows.length < FETCH_SIZE) break
  }
  await sql`close ${cursor}`.execute(stage)
}
