import { sql } from 'kysely'
import { counted } from '../../formats/counted.ts'
import { diffLine } from '../../formats/csv/diff-lines.ts'
import { ENTITY, RELATIONSHIP } from '../../formats/items/document-items.ts'
import { idSet } from '../../formats/stix2/id-set.ts'
import { idsIn } from '../../intelligence/by-query/snapshot.ts'
import type { Content } from './content.ts'
import { countDifferences, rowsOf, type Stage } from './stage.ts'
import { countedPieces, type Draft, type Lose } from './whole-document.ts'

/** Documents with what is to be told since the last ones, by the differences that are staged, in the order in which they are applied. */
export async function changedDocuments(stage: Stage, content: Content, lose: Lose): Promise<Draft[]> {
  const { feed, type, shipment } = content
  const assembler = await type.feed.assemble?.()
  if (!assembler) return partOfDocument(stage, content, lose)
  if (feed.update_strategy === 'DIFF' && assembler.tableHead) return diffTables(stage, feed.id, assembler.tableHead)
  const { came, changed, revoked } = await countDifferences(stage)
  if (came + changed + revoked === 0) return []
  const contents = countedPieces(stagedContent(stage))
  return [{ pieces: assembler.join(shipment, contents.pieces), items: contents.items }]
}

async function* rows(head: string, ...lists: AsyncIterable<string>[]): AsyncGenerator<string> {
  yield head
  for (const list of lists) yield* list
}

/** The hashes of what rows are about that consumers are told to forget. */
const forgotten = (feed: number) => sql`(
  select g.subject
  from feed_differences as d join outgoing_feed_items as g on g.feed = ${feed} and g.key = d.key
  where d.kind in ('went', 'changed'))`

/**
 * All rows that went, as they were sent, and all that came. Some consumers know observables by their values alone: they would
 * lose those that another row still has, so that these rows are said again. And some apply all that came before all that went: where
 * both speak of the same value, each has a document of its own.
 */
async function diffTables(stage: Stage, feed: number, head: string): Promise<Draft[]> {
  const { came, changed, went } = await countDifferences(stage)
  const isSplit = changed > 0 || (went > 0 && (await isSaidAgain(stage, feed)))
  const first = diffLine.head(head)
  const [gone, added] = [goneRows(stage, feed), addedRows(stage, feed)]
  if (isSplit) return [countedPieces(rows(first, gone), -1), countedPieces(rows(first, added), -1)]
  return came + went === 0 ? [] : [countedPieces(rows(first, gone, added), -1)]
}

/** Whether a value that went is still there, or has come again with another row. */
async function isSaidAgain(stage: Stage, feed: number): Promise<boolean> {
  const { rows: found } = await sql<{ is_said: boolean }>`
    select exists (select from ${unchanged(feed)} where h.subject in ${forgotten(feed)})
      or exists (
        select from feed_differences as d join feed_now as n on n.place = d.place
        where n.subject in ${forgotten(feed)}) as is_said`.execute(stage)
  return found[0]?.is_said === true
}

/** The rows `h` that consumers hold and go on holding. */
const unchanged = (feed: number) => sql`
  (select * from outgoing_feed_items as i
  where i.feed = ${feed} and not exists (select from feed_differences as d where d.key = i.key)) as h`

async function* goneRows(stage: Stage, feed: number): AsyncGenerator<string> {
  const gone = rowsOf<{ content: string }>(
    stage,
    'gone_rows',
    sql`
      select h.content
      from feed_differences as d join outgoing_feed_items as h on h.feed = ${feed} and h.key = d.key
      where d.kind in ('went', 'changed')
      order by d.key`,
  )
  for await (const { content } of gone) yield diffLine.del(content)
}

async function* addedRows(stage: Stage, feed: number): AsyncGenerator<string> {
  for await (const content of stagedContent(stage)) yield diffLine.add(content)
  const again = rowsOf<{ content: string }>(
    stage,
    'rows_again',
    sql`select h.content from ${unchanged(feed)} where h.subject in ${forgotten(feed)} order by h.key`,
  )
  for await (const { content } of again) yield diffLine.add(content)
}

/** What is staged and differs from what consumers hold, in the order of the document. */
async function* stagedContent(stage: Stage): AsyncGenerator<string> {
  const staged = rowsOf<{ content: string }>(
    stage,
    'staged_content',
    sql`select n.content from feed_differences as d join feed_now as n on n.place = d.place order by d.place`,
  )
  for await (const { content } of staged) yield content
}

/** A document of the entities and relationships that came or changed. */
async function partOfDocument(stage: Stage, content: Content, lose: Lose): Promise<Draft[]> {
  const isInside = content.type.feed.hasNestedRelationships === true
  const entities = await idsIn(stage, isInside ? owners(content.feed.id) : changedEntities)
  const relationships = idSet()
  let count = entities.count
  const ids = rowsOf<{ id: string }>(
    stage,
    'changed_relationships',
    sql`select ${idIn(RELATIONSHIP)} as id ${sent(RELATIONSHIP)}`,
  )
  for await (const { id } of ids) if (relationships.add(id) && !isInside) count++
  if (count === 0) return []
  const part = content.part(entities)
  const shipment = counted({
    ...part,
    // Where they stand inside of entities, all of an entity go with it: who reads it takes what it says for the whole.
    relationships: isInside
      ? part.relationships
      : () => those(content.shipment.relationships(), ({ id }) => relationships.has(id)),
  })
  const writer = await content.type.write([])
  return [{ pieces: writer(shipment, lose), items: () => shipment.counts().entities + shipment.counts().relationships }]
}

const idIn = (prefix: string) => sql`substr(d.key, ${prefix.length + 1}::integer)`

const sent = (prefix: string) => sql`
  from feed_differences as d
  where d.kind in ('came', 'changed') and starts_with(d.key, ${prefix})`

const changedEntities = sql`select ${idIn(ENTITY)}::uuid as id ${sent(ENTITY)}`

/** Entities that came or changed, and those that hold something which came, changed or went. */
const owners = (feed: number) => sql`
  ${changedEntities}
  union
  select substr(e.key, ${ENTITY.length + 1}::integer)::uuid
  from feed_now as e
  where starts_with(e.key, ${ENTITY}) and e.content in (
    select n.content
    from feed_differences as d join feed_now as n on n.place = d.place
    where starts_with(d.key, ${RELATIONSHIP})
    union
    select h.content
    from feed_differences as d join outgoing_feed_items as h on h.feed = ${feed} and h.key = d.key
    where starts_with(d.key, ${RELATIONSHIP}))`

async function* those<T>(items: AsyncIterable<T>, isWanted: (item: T) => boolean): AsyncGenerator<T> {
  for await (const item of items) if (isWanted(item)) yield item
}
