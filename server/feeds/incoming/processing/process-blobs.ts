import { sql } from 'kysely'
import { type Job, TaskError } from '../../../background/task.ts'
import { ApiError, isDatabaseAway, refusal } from '../../../engine/errors.ts'
import { type Processed, processDocument } from '../../../exchange/processing/process-document.ts'
import { DocumentError } from '../../../formats/document.ts'
import type { Known } from '../../../formats/identified.ts'
import { blobsOf } from '../../../intelligence/stored-blobs/store.ts'
import { asFeed } from './as-feed.ts'
import { type Feed, givenBy, settledBy } from './feed.ts'
import { signedDocument } from './signed-document.ts'
import { contributorOf, settleWalk, takeAwayAfter } from './transfers.ts'

interface Blob {
  readonly id: number
  readonly name: string
  readonly file: number
  readonly sha256: string
  readonly size: number
  readonly signature: string | null
  readonly about: Known | null
  readonly transfer: number
  readonly is_whole: boolean
}

/** Processes all that waits, in the order in which it came. What cannot be processed says why, and others go on. */
export async function processBlobs(job: Job<unknown>, feed: Feed): Promise<void> {
  let bug: unknown
  for (let done = 0, known = 0; ; ) {
    job.signal.throwIfAborted()
    const blob = await nextBlob(job, feed)
    if (!blob) {
      if (await isFinished(job, feed)) break
      continue
    }
    // More may come while it works.
    if (done >= known) known = done + (await countPending(job, feed))
    const [before, total] = [done++, known]
    const progress = (fraction: number) => job.progress((before + fraction) / total)
    bug = (await processBlob({ ...job, progress }, feed, blob)) ?? bug
  }
  await settleWalk(job, feed)
  // Whoever runs the server has to hear of it, once everything else is done.
  if (bug !== undefined) throw bug
}

async function nextBlob({ db }: Job<unknown>, feed: Feed): Promise<Blob | undefined> {
  const { rows } = await sql<Blob>`
    select t.id, t.name, t.file, t.sha256, t.size, t.signature, t.about, t.transfer, t.is_whole
    from incoming_blobs as t
    where t.feed = ${feed.id} and t.state = 'PENDING'
    order by t.transfer, t.id
    limit 1`.execute(db)
  return rows[0]
}

async function countPending({ db }: Job<unknown>, feed: Feed): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from incoming_blobs as t where t.feed = ${feed.id} and t.state = 'PENDING'`.execute(db)
  return rows[0]?.count ?? 1
}

/** Gives the error that is ours, if one came up. */
async function processBlob(job: Job<unknown>, feed: Feed, blob: Blob): Promise<unknown> {
  job.log(`Processing ${blob.name.slice(0, 200)} (blob ${blob.id}).`)
  try {
    await begin(job, blob)
    const result = await readBlob(job, feed, blob)
    await settle(job, blob, result.lost > 0 ? 'WARNING' : 'SUCCESS', null, result)
    return undefined
  } catch (error) {
    // It is no fault of the blob: the run is tried again.
    if (isDatabaseAway(error)) throw error
    const reason = reasonOf(job, error)
    job.log(`It cannot be processed: ${reason}`)
    await settle(job, blob, 'FAILURE', reason, null)
    return reason === INTERNAL ? error : undefined
  }
}

/**
 * An interrupted run goes on where the outcomes of the file end. Those of an earlier transfer are forgotten: the import would take
 * everything for done, and what is in the content would look gone.
 */
async function begin({ db }: Job<unknown>, { id, transfer }: Blob): Promise<void> {
  await sql`
    with begun as (
      update incoming_blobs set begun_transfer = ${transfer}::bigint
      where id = ${id} and begun_transfer is distinct from ${transfer}::bigint
      returning file
    )
    delete from file_outcomes as t using begun where t.owner = begun.file`.execute(db)
}

async function readBlob(job: Job<unknown>, feed: Feed, blob: Blob): Promise<Processed> {
  const { file, name, size, sha256, signature, about } = blob
  await using kept = new AsyncDisposableStack()
  const stored = { name: nameOf(name), size, open: () => blobsOf(job).open(sha256) }
  const contributor = await contributorOf(job, feed, blob)
  return await processDocument({
    job,
    file,
    document: await signedDocument(job, feed, stored, signature, kept),
    csvMapping: feed.csv_mapping,
    password: feed.archive_password === null ? undefined : job.vault.open(feed.archive_password),
    settled: settledBy(feed),
    given: { ...givenBy(feed), contributor },
    known: knownOf(feed, about),
    act: asFeed(job, feed),
    takeAway: (read) => takeAwayAfter(job, feed, blob, contributor, read),
  })
}

/** The name of a document is the end of a path: feeds call what they bring by its address. */
export const nameOf = (name: string): string =>
  name
    .split(/[?#]/)[0]
    ?.split('/')
    .findLast((part) => part !== '') ?? ''

/**
 * What is known of a document of a feed: what tells it from others is of use within the feed only. A feed whose transfers follow
 * each other has one report for all lists and texts that it brings.
 */
export const knownOf = (
  { source, name, update_strategy }: Pick<Feed, 'source' | 'name' | 'update_strategy'>,
  about: Known | null | undefined,
): Known | undefined => {
  if (about) return { ...about, identity: `${source} ${about.identity}` }
  return update_strategy === 'APPEND' ? undefined : { identity: `${source} list`, title: name }
}

const INTERNAL = 'An internal error ended it; the log of the server has more.'

/** Why content cannot be processed. What would be no fault of the content at another time ends the run, which is tried again. */
function reasonOf(job: Job<unknown>, error: unknown): string {
  job.signal.throwIfAborted()
  if (error instanceof DocumentError) return error.message
  if (error instanceof TaskError) throw error
  const refused = refusal(error)
  if (refused instanceof ApiError && refused.status >= 500) throw error
  return refused?.message ?? INTERNAL
}

/** Content that came again meanwhile goes on waiting: it has to come after what came in between. */
async function settle(
  job: Job<unknown>,
  { id, transfer }: Blob,
  state: string,
  reason: string | null,
  result: Processed | null,
): Promise<void> {
  await sql`
    update incoming_blobs
    set state = ${state}, reason = ${reason?.slice(0, 2000).toWellFormed().replaceAll('\0', '\uFFFD') ?? null},
      result = ${result && JSON.stringify(result)}::jsonb, run = ${job.id}, processed_at = now()
    where id = ${id} and state = 'PENDING' and transfer = ${transfer}`.execute(job.db)
}

/**
 * Whether nothing waits any more. From then on the run does nothing: whoever takes something in does not count on it, because
 * they ask under the same lock.
 */
const isFinished = (job: Job<unknown>, feed: Feed): Promise<boolean> =>
  job.db.transaction().execute(async (db) => {
    await sql`select from tasks where id = ${feed.update_task} for no key update`.execute(db)
    const { rows } = await sql`
      update incoming_feeds as t set finished_run = ${job.id}
      where t.id = ${feed.id} and not exists (
        select from incoming_blobs as b where b.feed = t.id and b.state = 'PENDING')
      returning t.id`.execute(db)
    return rows.length > 0 || !(await isThere(db, feed.id))
  })

async function isThere(db: Job['db'], id: number): Promise<boolean> {
  const { rows } = await sql`select from incoming_feeds where id = ${id}`.execute(db)
  return rows.length > 0
}
