import { sql } from 'kysely'
import { type Job, TaskError } from '../../../background/task.ts'
import type { Context } from '../../../engine/context.ts'
import { isTransient } from '../../../engine/errors.ts'
import { makeId } from '../../../engine/ids.ts'
import type { Import } from '../../../exchange/importing/import-batch.ts'
import { examine, importFile } from '../../../exchange/importing/import-file.ts'
import { readablesOf } from '../../../exchange/processing/readables.ts'
import { DocumentError } from '../../../formats/document.ts'
import { recognise } from '../../../formats/recognise.ts'
import { asUser } from '../../../identity/access/as-user.ts'
import type { Seeing } from '../../../identity/access/sight.ts'
import { feedContext } from '../processing/as-feed.ts'
import { type Feed, importDefaultsOf, resolveKind } from '../processing/feed.ts'
import { documentNameOf, identityOf } from '../processing/process-blobs.ts'
import { signedDocument } from '../processing/signed-document.ts'
import type { Trial } from './test-incoming-feed.ts'
import type { TrialFetch, TriedPiece } from './trial-fetch.ts'
import { openFindings, type TrialFindings } from './trial-findings.ts'
import type { TrialReport } from './trial-report.ts'

/** How long a trial may block others, because it writes before it rolls back. */
const MAX_SECONDS = 30

type Report = Omit<TrialReport, 'incoming_feed'>

/** Finds the outcome of what was fetched by importing it in one transaction that is rolled back. */
export async function importTrial(job: Job<unknown>, trial: Trial, fetched: TrialFetch): Promise<Report> {
  const late = AbortSignal.timeout(MAX_SECONDS * 1000)
  const findings = openFindings()
  const transaction = await job.db.startTransaction().execute()
  try {
    await sql`set local statement_timeout = ${sql.lit(`${MAX_SECONDS}s`)}`.execute(transaction)
    await sql`set local lock_timeout = '5s'`.execute(transaction)
    const feed =
      trial.feed.source === '' ? { ...trial.feed, source: await createTemporarySource(transaction) } : trial.feed
    const user = await asUser({ db: transaction }, job.callerId ?? 0)
    if (!user) throw new TaskError('The user who taskRunResult the test is no longer active.', { isFinal: true })
    const ctx = await feedContext(job, transaction, feed.source, { user })
    const within = {
      ...job,
      signal: AbortSignal.any([job.signal, late]),
      progress: () => undefined,
      log: () => undefined,
    }
    const pieces: Report['pieces'] = []
    for (const piece of fetched.pieces)
      pieces.push(await importPiece({ job: within, feed, ctx, user, findings, late }, piece))
    const bounds = [...fetched.bounds, ...(late.aborted ? [`the import stopped after ${MAX_SECONDS} seconds`] : [])]
    const { fault, log } = fetched
    return {
      is_whole: bounds.length === 0 && fault === undefined,
      bounds,
      fault: fault ? { kind: fault.kind, message: fault.message } : null,
      pieces,
      ...(await findings.report({ ...ctx, caller: user })),
      log: [...log],
    }
  } finally {
    await transaction.rollback().execute()
  }
}

interface Trying {
  readonly job: Job<unknown>
  readonly feed: Feed
  readonly ctx: Context
  /** The user who reads the report. */
  readonly user: Seeing
  readonly findings: TrialFindings
  readonly late: AbortSignal
}

async function importPiece(trying: Trying, piece: TriedPiece): Promise<Report['pieces'][number]> {
  const { document, contentType, isKnown } = piece
  const about = {
    name: document.name.slice(0, 2000),
    size: document.size,
    content_type: contentType,
    format: null,
    is_known: isKnown,
    objects: 0,
    reason: null,
  }
  if (isKnown) return about
  try {
    return { ...about, ...(await importDocument(trying, piece)) }
  } catch (error) {
    if (error instanceof DocumentError) return { ...about, reason: error.message }
    if (trying.late.aborted) return { ...about, reason: 'The time limit was reached.' }
    if (isLocked(error)) return { ...about, reason: 'Other transactions are writing the same objects.' }
    throw error
  }
}

/** Whether the database gave up waiting for a lock. */
const isLocked = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '55P03'

async function importDocument({ job, feed, ctx, user, findings }: Trying, { document, signature, about }: TriedPiece) {
  await using kept = new AsyncDisposableStack()
  const named = { ...document, name: documentNameOf(document.name) }
  const content = await signedDocument(job, feed, named, signature, kept)
  const format = resolveKind(feed)(await recognise(content, { hasMapping: feed.csv_mapping !== null }))
  if (format === 'unknown') return { format, objects: 0 }
  const password = feed.archive_password === null ? undefined : job.vault.open(feed.archive_password)
  const readables = await readablesOf(job, content, format, {
    csvMapping: feed.csv_mapping,
    password,
    known: identityOf(feed, about),
  })
  const objects = await examine(readables, job.signal)
  const parts: Import = {
    job,
    given: importDefaultsOf(feed),
    act: (run) => inSavepoint(ctx, run),
    note: async (_, outcomes, found) => findings.add(document.name.slice(0, 2000), outcomes, found),
    triedFor: user,
  }
  await importFile(parts, readables, 0, objects)
  return { format, objects }
}

/** Creates a temporary source for a feed that is not stored; the rollback removes it. */
async function createTemporarySource(db: Job['db']): Promise<string> {
  const id = makeId()
  await sql`insert into sources (id, name, type) values (${id}, 'Test', 'incoming_feed')`.execute(db)
  return id
}

const MAX_ATTEMPTS = 4

/** Runs a part in a savepoint, so that its failure does not end the whole transaction. */
async function inSavepoint<T>(ctx: Context, run: (ctx: Context) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    await sql`savepoint part`.execute(ctx.db)
    try {
      const result = await run(ctx)
      await sql`release savepoint part`.execute(ctx.db)
      return result
    } catch (error) {
      await sql`rollback to savepoint part`.execute(ctx.db)
      if (attempt >= MAX_ATTEMPTS || !isTransient(error)) throw error
    }
  }
}
