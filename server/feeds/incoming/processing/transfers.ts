import { sql } from 'kysely'
import type { Job } from '../../../background/task.ts'
import type { Contributor } from '../../../exchange/importing/contributions.ts'
import type { ReadDocument } from '../../../exchange/processing/process-document.ts'
import { asFeed } from './as-feed.ts'
import type { Feed } from './feed.ts'
import { settleParts, settleWhole, type TakenAway } from './settle-transfer.ts'

/** The parts of a blob that decide what it removes. */
interface Arrived {
  readonly id: number
  readonly transfer: number
  readonly is_whole: boolean
}

/** How a feed writes a blob, and what it may remove. */
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

/** Removes what a completely stored document no longer contains. */
export async function takeAwayAfter(
  job: Job<unknown>,
  feed: Feed,
  arrived: Arrived,
  { isNewest, isWhole, transfer }: Contributor,
  { format, isDiff }: ReadDocument,
): Promise<Record<string, number>> {
  if (!isNewest) return {}
  const settling = { feed, transfer, act: asFeed(job, feed), signal: job.signal }
  if (!isWhole || isDiff) return countsOf(await settleParts(settling))
  const usual = await usualFormat(job, feed, arrived)
  if (usual !== undefined && usual !== format) {
    job.log(`Nothing was withdrawn: this document is ${format}, but the feed usually sends ${usual}.`)
    return {}
  }
  const taken = await settleWhole(settling)
  const count = taken.entities + taken.relationships + taken.observables
  if (count > 0)
    job.log(
      `Withdrawn: ${taken.entities} entities, ${taken.relationships} relationships, ${taken.observables} observables.`,
    )
  return countsOf(taken)
}

const countsOf = (taken: TakenAway): Record<string, number> => ({ ...taken })

/**
 * The usual format of the content of a feed. A sign-in page in place of a list must not make everything look withdrawn, however often
 * it arrives.
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

/** Begins a walk, a complete pass through the pages of a collection, and returns its transfer. */
export async function beginWalk({ db }: Job<unknown>): Promise<number> {
  const { rows } = await sql<{ transfer: number }>`select nextval('feed_transfers') as transfer`.execute(db)
  return Number(rows[0]?.transfer)
}

/** Records that a walk reached the end of the collection: what none of its pages contains was removed. */
export async function endWalk({ db }: Job<unknown>, feed: Feed, transfer: number): Promise<void> {
  await sql`update incoming_feeds set whole_transfer = ${transfer}::bigint where id = ${feed.id}`.execute(db)
}

/** Removes what the latest complete walk did not contain, once all of its pages are stored. A failed page keeps everything. */
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
    job.log(`Withdrawn: ${taken.entities} entities, ${taken.relationships} relationships.`)
  } else job.log('Nothing was withdrawn: not all pages could be processed.')
  await sql`
    update incoming_feeds set settled_transfer = ${transfer}::bigint where id = ${feed.id}`.execute(job.db)
}
