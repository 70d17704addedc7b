import { z } from 'zod'
import { defineTask, type Job, type Outcome, TaskError } from '../../background/task.ts'
import { isDatabaseAway } from '../../engine/errors.ts'
import { AnonymisationError } from '../../formats/anonymised.ts'
import { TransportError } from '../collecting/collector.ts'
import { deliverBlocks } from './deliver.ts'
import { type Packaged, packageFeed } from './package-feed.ts'
import { previewFeed } from './preview-feed.ts'
import { recordFailedRun, recordStart, recordSuccess } from './record-run.ts'

const parameters = z.object({
  feed: z.int().min(1).describe('The id of the feed.'),
  preview: z
    .boolean()
    .optional()
    .describe('Whether the run only reports to the user who starts it, without storing or sending anything.'),
})

type FeedJob = Job<z.output<typeof parameters>>

/** Packages what an outgoing feed sends next, and delivers it. */
export const outgoingFeed = defineTask({
  type: 'outgoing-feed',
  doc: 'Writes the next content of an outgoing feed and delivers it to its consumers.',
  parameters,
  isUnique: true,
  expireInSeconds: 12 * 3600,
  run: (job) => (job.parameters.preview ? previewFeed(job, job.parameters.feed) : publish(job)),
})

async function publish(job: FeedJob): Promise<Outcome> {
  const { feed } = job.parameters
  await recordStart(job, feed)
  let packaged: Packaged | undefined
  try {
    packaged = await packageFeed(job, feed)
    logPackage(job, packaged)
    const { delivered, pending } = await deliverBlocks(job, feed)
    if (pending === 0) await recordSuccess(job, feed)
    return outcomeOf(packaged, delivered, pending)
  } catch (error) {
    const shown = errorForUsers(error)
    // A run that was stopped, or that is retried once the database is back, has not failed.
    if (!job.signal.aborted && !isDatabaseAway(error)) await recordFailedRun(job, feed, shown, packaged !== undefined)
    throw shown
  }
}

/** Wraps errors whose messages users should see in the run. */
function errorForUsers(error: unknown): unknown {
  // If the server asks to wait, another attempt of this run would be too early.
  if (error instanceof TransportError)
    return new TaskError(error.message, { cause: error, isFinal: error.retryAfter !== undefined })
  return error instanceof AnonymisationError ? new TaskError(error.message, { cause: error, isFinal: true }) : error
}

function logPackage(job: FeedJob, { blocks, differences }: Packaged): void {
  if (differences) {
    const { came, changed, went, revoked } = differences
    job.log(`Since the last run: ${came} added, ${changed} changed, ${went + revoked} removed.`)
  }
  for (const { id, items_count, size } of blocks) job.log(`Wrote block ${id}: ${items_count} items, ${size} bytes.`)
  if (blocks.length === 0) job.log('No new block was written.')
}

function outcomeOf({ blocks, entities, differences }: Packaged, delivered: number, pending: number): Outcome {
  const result = {
    content_blocks: blocks.map(({ id }) => id),
    items: sum(blocks.map(({ items_count }) => items_count)),
    size: sum(blocks.map(({ size }) => size)),
    losses: sum(blocks.map(({ losses_count }) => losses_count)),
    entities,
    differences: differences ?? null,
    delivered,
  }
  return pending > 0 || result.losses > 0 ? { result, outcome: 'WARNING' } : { result }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
