import type { Kysely } from 'kysely'
import { type Job, type Outcome, TaskError } from '../../background/task.ts'
import { AnonymisationError } from '../../formats/anonymised.ts'
import { counted } from '../../formats/counted.ts'
import { inPieces } from '../../formats/pieces.ts'
import { storeReport } from '../reports.ts'
import { openContent, readerOf } from './content.ts'
import { asOfOneMoment, inSession, requireFeed } from './package-feed.ts'
import { planOf } from './plan.ts'
import type { Stage } from './stage.ts'
import type { PendingDocument } from './whole-document.ts'

type FeedJob = Job<unknown>

/** How many characters of a block the report shows. */
const MAX_SHOWN_CHARACTERS = 20_000
const MAX_SHOWN_LOSSES = 100

const NO_ACTIVE_USER = 'A preview runs with the permissions of the user who starts it, but that account is inactive.'

/** Reports what a feed would send next, as far as the user who starts the run sees it and to them alone; stores nothing else. */
export async function previewFeed(job: FeedJob, id: number): Promise<Outcome> {
  if (job.callerId === null) throw new TaskError(NO_ACTIVE_USER, { isFinal: true })
  const report = await inSession(job.db, (session) =>
    asOfOneMoment(job.db, (db) => preview(job, session, db, id)),
  ).catch((error) => {
    throw error instanceof AnonymisationError ? new TaskError(error.message, { cause: error, isFinal: true }) : error
  })
  await storeReport(job, job.id, job.callerId, report)
  return { result: { entities: report.entities, items: report.items } }
}

async function preview(job: FeedJob, stage: Stage, db: Kysely<unknown>, id: number) {
  const { vault, resources, taskTypes, callerId } = job
  const feed = await requireFeed(db, id)
  const caller = await readerOf({ db }, feed, callerId, NO_ACTIVE_USER)
  const opened = await openContent(
    { db, vault, resources, taskTypes, caller, baseUrl: '' },
    feed,
    new Date().toISOString(),
  )
  const shipment = counted(opened.shipment)
  const losses: { id: string; loss: string }[] = []
  let lossesCount = 0
  const lose = (lostId: string, loss: string) => {
    lossesCount++
    if (losses.length < MAX_SHOWN_LOSSES) losses.push({ id: lostId, loss })
  }
  const { documents, differences } = await planOf(stage, { ...opened, shipment }, lose, (share) => {
    job.signal.throwIfAborted()
    job.progress(share)
  })
  const shown = await beginningOf(inPieces(all(documents)), job.signal)
  const isText = opened.type.mediaType !== 'application/zip'
  return {
    update_strategy: feed.update_strategy,
    content_type: feed.content_type,
    ...shipment.counts(),
    has_block: documents.length > 0,
    items: documents.reduce((count, { items }) => count + items(), 0),
    differences: differences ?? null,
    size: shown.size,
    content: isText ? shown.beginning.toString('utf8').slice(0, MAX_SHOWN_CHARACTERS) : null,
    losses_count: lossesCount,
    losses,
  }
}

async function* all(documents: readonly PendingDocument[]): AsyncGenerator<string | Buffer> {
  for (const { pieces } of documents) yield* pieces
}

/** The size of content, and its beginning. */
async function beginningOf(pieces: AsyncIterable<Buffer>, signal: AbortSignal) {
  const first: Buffer[] = []
  let size = 0
  for await (const piece of pieces) {
    signal.throwIfAborted()
    // No character takes more than four bytes.
    if (size < 4 * MAX_SHOWN_CHARACTERS) first.push(piece)
    size += piece.length
  }
  return { size, beginning: Buffer.concat(first) }
}
