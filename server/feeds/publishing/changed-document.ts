import { sql } from 'kysely'
import { counted } from '../../formats/counted.ts'
import { diffLine } from '../../formats/csv/diff-lines.ts'
import { ENTITY, RELATIONSHIP } from '../../formats/items/document-items.ts'
import { idSet } from '../../formats/stix2/id-set.ts'
import { idsIn } from '../../intelligence/by-query/snapshot.ts'
import type { Content } from './content.ts'
import { countDifferences, rowsOf, type Stage } from './stage.ts'
import { countedPieces, type Lose, type PendingDocument } from './whole-document.ts'

/** The documents with everything that changed since the last ones, from the staged differences, in the order to apply them. */
export async function changedDocuments(stage: Stage, content: Content, lose: Lose): Promise<PendingDocument[]> {
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

/** The hashes of the subjects of rows that consumers are told to delete. */
const deletedSubjects = (feed: number) => sql`(
  select g.subject
  from feed_differences as d join outgoing_feed_items as g on g.feed = ${feed} and g.key = d.key
  where d.kind in ('went', 'changed'))`

/**
 * All removed rows as they were sent, and all added ones. Some consumers identify observables by their values alone and would lose those
 * that another row still has, so these rows are sent again. Some apply all additions before all removals: if both contain the same
 * value, they go into separate documents.
 */
async function diffTables(stage: Stage, feed: number, head: string): Promise<PendingDocument[]> {
  const { came, changed, went } = await countDifferences(stage)
  const isSplit = changed > 0 || (went > 0 && (await isSubjectStillThere(stage, feed)))
  const first = diffLine.head(head)
  const [gone, added] = [goneRows(stage, feed), addedRows(stage, feed)]
  if (isSplit) return [countedPieces(rows(first, gone), -1), countedPieces(rows(first, added), -1)]
  return came + went === 0 ? [] : [countedPieces(rows(first, gone, added), -1)]
}

/** Whether a removed value is still there, or was added again with another row. */
async function isSubjectStillThere(stage: Stage, feed: number): Promise<boolean> {
  const { rows: found } = await sql<{ is_there: boolean }>`
    select exists (select from ${unchanged(feed)} where h.subject in ${deletedSubjects(feed)})
      or exists (
        select from feed_differences as d join feed_now as n on n.place = d.place
        where n.subject in ${deletedSubjects(feed)}) as is_there`.execute(stage)
  return found[0]?.is_there === true
}

/** The rows `h` that consumers hold and keep. */
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
    sql`select h.content from ${unchanged(feed)} where h.subject in ${deletedSubjects(feed)} order by h.key`,
  )
  for await (const { content } of again) yield diffLine.add(content)
}

/** The staged content that differs from what consumers hold, in the order of the document. */
async function* stagedContent(stage: Stage): AsyncGenerator<string> {
  const staged = rowsOf<{ content: string }>(
    stage,
    'staged_content',
    sql`select n.content from feed_differences as d join feed_now as n on n.place = d.place order by d.place`,
  )
  for await (const { content } of staged) yield content
}

/** A document with the entities and relationships that were added or changed. */
async function partOfDocument(stage: Stage, content: Content, lose: Lose): Promise<PendingDocument[]> {
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
    // If relationships are nested in entities, an entity is sent with all of its own: readers take it for complete.
    relationships: isInside
      ? part.relationships
      : () => filtered(content.shipment.relationships(), ({ id }) => relationships.has(id)),
  })
  const writer = await content.type.write([])
  return [{ pieces: writer(shipment, lose), items: () => shipment.counts().entities + shipment.counts().relationships }]
}

const idIn = (prefix: string) => sql`substr(d.key, ${prefix.length + 1}::integer)`

const sent = (prefix: string) => sql`
  from feed_differences as d
  where d.kind in ('came', 'changed') and starts_with(d.key, ${prefix})`

const changedEntities = sql`select ${idIn(ENTITY)}::uuid as id ${sent(ENTITY)}`

/** Entities that were added or changed, and those with a relationship that was added, changed or removed. */
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

async function* filtered<T>(items: AsyncIterable<T>, isWanted: (item: T) => boolean): AsyncGenerator<T> {
  for await (const item of items) if (isWanted(item)) yield item
}
