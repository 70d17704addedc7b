import { type Kysely, type RawBuilder, sql } from 'kysely'
import { bytesList, textList } from '../../engine/binary.ts'
import type { ContentItem } from '../../formats/items/content-item.ts'

/**
 * The connection whose temporary tables hold what goes out now. No transaction lasts on it: whatever is written to a database counts
 * as a writer, and streams of changes tell nothing that an older writer could still come before.
 */
export type Stage = Kysely<unknown>

/** What became of a piece since the last run; `revoked` ones have to be told to those who hold them. */
export type Difference = 'came' | 'changed' | 'went' | 'revoked'

/** So much is stored at a time. */
const MOST_ITEMS = 1000
const MOST_CHARACTERS = 1_000_000

/** Begins to collect the pieces of what goes out now. */
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

/** Gives up what was collected, in whichever transaction. */
export async function closeStage(db: Kysely<unknown>): Promise<void> {
  await sql`drop table if exists pg_temp.feed_now, pg_temp.feed_differences, pg_temp.feed_entities_now, pg_temp.feed_added`.execute(
    db,
  )
}

/** Adds pieces in their order, behind those that are there; gives how many there are then. */
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
    if (batch.length === MOST_ITEMS || characters > MOST_CHARACTERS) await flush()
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

/** What consumers hold of a feed that sends blocks, as columns `key`, `hash`, `content`, `subject`, `modified`. */
export const heldItems = (feed: number): RawBuilder<unknown> =>
  sql`(select key, hash, content, subject, modified from outgoing_feed_items where feed = ${feed})`

/**
 * Compares what goes out now with what consumers hold. Where a piece that is staged is the same as before, nothing more is done
 * with it. What was revoked counts as gone, and has come when it is there again.
 */
export async function compare(stage: Stage, held: RawBuilder<unknown>, staged: number): Promise<void> {
  await learn(stage, 'feed_now', staged)
  const { numAffectedRows } = await sql`
    create temporary table feed_differences as
    select n.place, coalesce(n.key, h.key) as key, h.modified as held_modified,
      case when n.key is null then 'went' when h.key is null or h.hash = ''::bytea then 'came' else 'changed' end as kind
    from feed_now as n full join ${held} as h on h.key = n.key
    where n.hash is distinct from h.hash and not (n.key is null and h.hash = ''::bytea)`.execute(stage)
  await learn(stage, 'feed_differences', Number(numAffectedRows ?? staged))
}

/** From so many rows on it pays to let the database know what is in a table; nobody else tells it of temporary ones. */
const MANY = 500

/** Lets the database learn what is in a table of so many rows. */
export async function learn(stage: Stage, table: string, rows: number): Promise<void> {
  if (rows >= MANY) await sql`analyze ${sql.table(table)}`.execute(stage)
}

/** How many pieces differ, by what became of them. */
export async function countDifferences(stage: Stage): Promise<Record<Difference, number>> {
  const { rows } = await sql<{ kind: Difference; count: number }>`
    select kind, count(*) as count from feed_differences group by kind`.execute(stage)
  return { came: 0, changed: 0, went: 0, revoked: 0, ...Object.fromEntries(rows.map((row) => [row.kind, row.count])) }
}

const FETCHED = 200

/** The rows that a query finds, a few at a time, however many they are; queries that are read at the same time need different names. */
export async function* rowsOf<R>(stage: Stage, name: string, query: RawBuilder<R>): AsyncGenerator<R> {
  const cursor = sql.id(name)
  await sql`declare ${cursor} no scroll cursor with hold for ${query}`.execute(stage)
  for (;;) {
    const { rows } = await sql<R>`fetch ${sql.raw(String(FETCHED))} from ${cursor}`.execute(stage)
    yield* rows
    if (rows.length < FETCHED) break
  }
  await sql`close ${cursor}`.execute(stage)
}
