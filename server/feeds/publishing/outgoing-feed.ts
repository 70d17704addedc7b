import { z } from 'zod'
import { defineTask, type Job, type Outcome, TaskError } from '../../background/task.ts'
import { isDatabaseAway } from '../../engine/errors.ts'
import { AnonymisationError } from '../../formats/anonymised.ts'
import { TransportError } from '../collecting/collector.ts'
import { deliverBlocks } from './deliver.ts'
import { noteFailure, noteStart, noteSuccess } from './health.ts'
import { type Packaged, packageFeed } from './package-feed.ts'
import { previewFeed } from './preview-feed.ts'

const parameters = z.object({
  feed: z.int().min(1).describe('The id of the feed.'),
  preview: z.boolean().optional().describe('Whether nothing is stored or sent, but told to who starts the run.'),
})

type FeedJob = Job<z.output<typeof parameters>>

/** Packages what an outgoing feed sends next, and delivers it. */
export const outgoingFeed = defineTask({
  type: 'outgoing-feed',
  doc: 'Writes what an outgoing feed sends next, and brings it to those who consume it.',
  parameters,
  isUnique: true,
  expireInSeconds: 12 * 3600,
  run: (job) => (job.parameters.preview ? previewFeed(job, job.parameters.feed) : publish(job)),
})

async function publish(job: FeedJob): Promise<Outcome> {
  const { feed } = job.parameters
  await noteStart(job, feed)
  let packaged: Packaged | undefined
  try {
    packaged = await packageFeed(job, feed)
    tell(job, packaged)
    const { delivered, pending } = await deliverBlocks(job, feed)
    if (pending === 0) await noteSuccess(job, feed)
    return outcomeOf(packaged, delivered, pending)
  } catch (error) {
    const spoken = spokenError(error)
    // A run that was stopped, or that is tried again once the database is back, has not failed.
    if (!job.signal.aborted && !isDatabaseAway(error)) await noteFailure(job, feed, spoken, packaged !== undefined)
    throw spoken
  }
}

/** Errors whose messages are meant for people, as those who read runs get them. */
function spokenError(error: unknown): unknown {
  // Whoever asks to be left alone is: another attempt of this run would come too early.
  if (error instanceof TransportError)
    return new TaskError(error.message, { cause: error, isFinal: error.retryAfter !== undefined })
  return error instanceof AnonymisationError ? new TaskError(error.message, { cause: error, isFinal: true }) : error
}

function tell(job: FeedJob, { blocks, differences }: Packaged): void {
  if (differences) {
    const { came, changed, went, revoked } = differences
    job.log(`Since the last time ${came} came, ${changed} changed and ${went + revoked} went.`)
  }
  for (const { id, items_count, size } of blocks) job.log(`Wrote block ${id}: ${items_count} items, ${size} bytes.`)
  if (blocks.length === 0) job.log('There is no new block.')
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
