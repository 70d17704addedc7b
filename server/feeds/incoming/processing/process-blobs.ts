import { sql } from 'kysely'
import { type Job, TaskError } from '../../../background/task.ts'
import { storableText } from '../../../domain/storable-text.ts'
import { ApiError, isDatabaseAway, refusal } from '../../../engine/errors.ts'
import { type Processed, processDocument } from '../../../exchange/processing/process-document.ts'
import { DocumentError } from '../../../formats/document.ts'
import type { Known } from '../../../formats/identified.ts'
import { blobsOf } from '../../../intelligence/stored-blobs/store.ts'
import { asFeed } from './as-feed.ts'
import { type Feed, importDefaultsOf, resolveKind } from './feed.ts'
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

/** Processes waiting blobs in the order of their arrival. A blob that fails records why, and the others are still processed. */
export async function processBlobs(job: Job<unknown>, feed: Feed): Promise<void> {
  let bug: unknown
  for (let done = 0, known = 0; ; ) {
    job.signal.throwIfAborted()
    const blob = await nextBlob(job, feed)
    if (!blob) {
      if (await isFinished(job, feed)) break
      continue
    }
    // More blobs may arrive in the meantime.
    if (done >= known) known = done + (await countPending(job, feed))
    const [before, total] = [done++, known]
    const progress = (fraction: number) => job.progress((before + fraction) / total)
    bug = (await processBlob({ ...job, progress }, feed, blob)) ?? bug
  }
  await settleWalk(job, feed)
  // The run fails so that the operator notices, but only after everything else was processed.
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

/** Returns an unexpected error, if there was one. */
async function processBlob(job: Job<unknown>, feed: Feed, blob: Blob): Promise<unknown> {
  job.log(`Processing ${blob.name.slice(0, 200)} (blob ${blob.id}).`)
  try {
    await begin(job, blob)
    const result = await readBlob(job, feed, blob)
    await storeOutcome(job, blob, result.lost > 0 ? 'WARNING' : 'SUCCESS', null, result)
    return undefined
  } catch (error) {
    // The blob is not at fault: the run is retried.
    if (isDatabaseAway(error)) throw error
    const reason = reasonOf(job, error)
    job.log(`It cannot be processed: ${reason}`)
    await storeOutcome(job, blob, 'FAILURE', reason, null)
    return reason === INTERNAL ? error : undefined
  }
}

/**
 * Prepares a blob for processing. An interrupted run continues where the outcomes of the file end. Outcomes of an earlier transfer are
 * deleted: the import would skip everything as done, and the content would look withdrawn.
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
  const stored = { name: documentNameOf(name), size, open: () => blobsOf(job).open(sha256) }
  const contributor = await contributorOf(job, feed, blob)
  return await processDocument({
    job,
    file,
    document: await signedDocument(job, feed, stored, signature, kept),
    csvMapping: feed.csv_mapping,
    password: feed.archive_password === null ? undefined : job.vault.open(feed.archive_password),
    correctFormat: resolveKind(feed),
    given: { ...importDefaultsOf(feed), contributor },
    known: identityOf(feed, about),
    act: asFeed(job, feed),
    takeAway: (read) => takeAwayAfter(job, feed, blob, contributor, read),
  })
}

/** The name of a document: the last segment of its path, because feeds name documents by their address. */
export const documentNameOf = (name: string): string =>
  name
    .split(/[?#]/)[0]
    ?.split('/')
    .findLast((part) => part !== '') ?? ''

/**
 * The identity of a document, which is unique within its feed only. A feed whose transfers depend on each other has one report for all
 * of its lists and texts.
 */
export const identityOf = (
  { source, name, update_strategy }: Pick<Feed, 'source' | 'name' | 'update_strategy'>,
  about: Known | null | undefined,
): Known | undefined => {
  if (about) return { ...about, identity: `${source} ${about.identity}` }
  return update_strategy === 'APPEND' ? undefined : { identity: `${source} list`, title: name }
}

const INTERNAL = 'An internal error ended the processing; see the log of the server.'

/** Why content cannot be processed. An error that is not caused by the content ends the run, which is retried. */
function reasonOf(job: Job<unknown>, error: unknown): string {
  job.signal.throwIfAborted()
  if (error instanceof DocumentError) return error.message
  if (error instanceof TaskError) throw error
  const refused = refusal(error)
  if (refused instanceof ApiError && refused.status >= 500) throw error
  return refused?.message ?? INTERNAL
}

/** Stores the outcome of a blob. Content that arrived again in the meantime keeps waiting: it is due after what came in between. */
async function storeOutcome(
  job: Job<unknown>,
  { id, transfer }: Blob,
  state: string,
  reason: string | null,
  result: Processed | null,
): Promise<void> {
  await sql`
    update incoming_blobs
    set state = ${state}, reason = ${reason && storableText(reason, 2000)},
      result = ${result && JSON.stringify(result)}::jsonb, run = ${job.id}, processed_at = now()
    where id = ${id} and state = 'PENDING' and transfer = ${transfer}`.execute(job.db)
}

/**
 * Whether no blob waits any more, after which the run does nothing. A request that stores content checks this under the same lock, so
 * that it does not rely on a run that has finished.
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
