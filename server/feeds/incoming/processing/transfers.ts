import { sql } from 'kysely'
import type { Job } from '../../../background/task.ts'
import type { Contributor } from '../../../exchange/importing/contributions.ts'
import type { ReadDocument } from '../../../exchange/processing/process-document.ts'
import { asFeed } from './as-feed.ts'
import type { Feed } from './feed.ts'
import { settleParts, settleWhole, type TakenAway } from './settle-transfer.ts'

/** Something that came, as far as what it takes away depends on it. */
interface Arrived {
  readonly id: number
  readonly transfer: number
  readonly is_whole: boolean
}

/** How a feed writes what came, and what it may take away with it. */
export async function contributorOf(
  { db }: Job<unknown>,
  { id, withdrawn, update_strategy }: Feed,
  { transfer, is_whole }: Arrived,
): Promise<Contributor> {
  const { rows } = await sql<{ is_newest: boolean }>`
    select not exists (
      select from incoming_blobs as b
      where b.feed = ${id} and b.transfer > ${transfer}::bigint and b.state in ('SUCCESS', 'WARNING')) as is_newest`.execute(
    db,
  )
  const isNewest = rows[0]?.is_newest === true
  return {
    feed: id,
    transfer,
    isNewest,
    isWhole: update_strategy === 'REPLACE' && is_whole && isNewest,
    isOfWhole: update_strategy === 'REPLACE',
    withdrawn,
  }
}

/** Takes away what a document that was stored to its end does not have any more. */
export async function takeAwayAfter(
  job: Job<unknown>,
  feed: Feed,
  arrived: Arrived,
  { isNewest, isWhole, transfer }: Contributor,
  { format, isDiff }: ReadDocument,
): Promise<Record<string, number>> {
  if (!isNewest) return {}
  const settling = { feed, transfer, act: asFeed(job, feed), signal: job.signal }
  if (!isWhole || isDiff) return told(await settleParts(settling))
  const usual = await usualFormat(job, feed, arrived)
  if (usual !== undefined && usual !== format) {
    job.log(`Nothing is taken for gone: this is ${format}, and what the feed brings is ${usual}.`)
    return {}
  }
  const taken = await settleWhole(settling)
  const count = taken.entities + taken.relationships + taken.observables
  if (count > 0)
    job.log(
      `No longer there: ${taken.entities} entities, ${taken.relationships} relationships, ${taken.observables} observables.`,
    )
  return told(taken)
}

const told = (taken: TakenAway): Record<string, number> => ({ ...taken })

/**
 * What the content of a feed usually is. A page that says that one has to sign in, where a list should be, must not make
 * everything look gone, however often it comes.
 */
async function usualFormat({ db }: Job<unknown>, { id }: Feed, arrived: Arrived): Promise<string | undefined> {
  const { rows } = await sql<{ format: string }>`
    select f.format
    from incoming_blobs as b join files as f on f.id = b.file
    where b.feed = ${id} and b.id <> ${arrived.id} and b.state in ('SUCCESS', 'WARNING') and f.format <> 'unknown'
    group by f.format
    order by count(*) desc, min(b.transfer)
    limit 1`.execute(db)
  return rows[0]?.format
}

/** Begins a walk through a collection, whose pages are one transfer. */
export async function beginWalk({ db }: Job<unknown>): Promise<number> {
  const { rows } = await sql<{ transfer: number }>`select nextval('feed_transfers') as transfer`.execute(db)
  return Number(rows[0]?.transfer)
}

/** Notes that a walk came to the end of the collection: what no page of it has is gone. */
export async function endWalk({ db }: Job<unknown>, feed: Feed, transfer: number): Promise<void> {
  await sql`update incoming_feeds set whole_transfer = ${transfer}::bigint where id = ${feed.id}`.execute(db)
}

/** Takes away what the latest whole walk did not come across, once all of its pages are stored; a page that failed keeps everything. */
export async function settleWalk(job: Job<unknown>, feed: Feed): Promise<void> {
  if (feed.update_strategy !== 'REPLACE') return
  const { rows } = await sql<{ transfer: number; is_stored: boolean }>`
    select t.whole_transfer as transfer, not exists (
      select from incoming_blobs as b
      where b.feed = t.id and b.transfer >= t.whole_transfer and b.state not in ('SUCCESS', 'WARNING')) as is_stored
    from incoming_feeds as t
    where t.id = ${feed.id} and t.whole_transfer is not null
      and t.whole_transfer is distinct from t.settled_transfer`.execute(job.db)
  const [walk] = rows
  if (!walk) return
  const transfer = Number(walk.transfer)
  if (walk.is_stored) {
    const taken = await settleWhole({ feed, transfer, act: asFeed(job, feed), signal: job.signal })
    job.log(`No longer there: ${taken.entities} entities, ${taken.relationships} relationships.`)
  } else job.log('Nothing is taken for gone: not all pages could be processed.')
  await sql`
    update incoming_feeds set settled_transfer = ${transfer}::bigint where id = ${feed.id}`.execute(job.db)
}
