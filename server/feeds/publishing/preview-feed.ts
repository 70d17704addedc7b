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
import type { Draft } from './whole-document.ts'

type FeedJob = Job<unknown>

/** So much of a block is shown. */
const SHOWN_CHARACTERS = 20_000
const SHOWN_LOSSES = 100

const NOBODY = 'A preview is for who asks for it, and there is no such user who is active.'

/** Works out what a feed would send next to who starts the run, and tells it to them alone; nothing is kept of it. */
export async function previewFeed(job: FeedJob, id: number): Promise<Outcome> {
  if (job.callerId === null) throw new TaskError(NOBODY, { isFinal: true })
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
  const caller = await readerOf({ db }, feed, callerId, NOBODY)
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
    if (losses.length < SHOWN_LOSSES) losses.push({ id: lostId, loss })
  }
  const { drafts, differences } = await planOf(stage, { ...opened, shipment }, lose, (share) => {
    job.signal.throwIfAborted()
    job.progress(share)
  })
  const shown = await beginningOf(inPieces(all(drafts)), job.signal)
  const isText = opened.type.mediaType !== 'application/zip'
  return {
    update_strategy: feed.update_strategy,
    content_type: feed.content_type,
    ...shipment.counts(),
    has_block: drafts.length > 0,
    items: drafts.reduce((count, { items }) => count + items(), 0),
    differences: differences ?? null,
    size: shown.size,
    content: isText ? shown.beginning.toString('utf8').slice(0, SHOWN_CHARACTERS) : null,
    losses_count: lossesCount,
    losses,
  }
}

async function* all(drafts: readonly Draft[]): AsyncGenerator<string | Buffer> {
  for (const { pieces } of drafts) yield* pieces
}

/** How long something is, and how it begins. */
async function beginningOf(pieces: AsyncIterable<Buffer>, signal: AbortSignal) {
  const first: Buffer[] = []
  let size = 0
  for await (const piece of pieces) {
    signal.throwIfAborted()
    // No character takes more than four bytes.
    if (size < 4 * SHOWN_CHARACTERS) first.push(piece)
    size += piece.length
  }
  return { size, beginning: Buffer.concat(first) }
}
