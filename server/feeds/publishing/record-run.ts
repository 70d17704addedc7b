import { sql } from 'kysely'
import { type Job, messageForReaders, TaskError } from '../../background/task.ts'
import { ApiError } from '../../engine/errors.ts'
import { TransportError } from '../collecting/collector.ts'
import { backOff } from '../feed-tasks.ts'
import { recordFailure } from '../health/failures.ts'

type FeedJob = Job<unknown>

/** Records that a run of a feed has started. */
export const recordStart = ({ db }: FeedJob, feed: number) =>
  sql`update outgoing_feeds set last_triggered_at = now() where id = ${feed}`.execute(db)

/** Records that a run of a feed has done everything. */
export const recordSuccess = ({ db }: FeedJob, feed: number) =>
  sql`
  update outgoing_feeds set last_success_at = now(), failures = 0, failing_since = null, last_error = null
  where id = ${feed}`.execute(db)

/**
 * Records that a run failed, and postpones the next one. All attempts of a run count as one failure, so that a short outage does not
 * lengthen the wait.
 */
export async function recordFailedRun(job: FeedJob, feed: number, error: unknown, isPackaged: boolean): Promise<void> {
  const isFirst = job.attempt === 1
  await sql`
    update outgoing_feeds
    set failures = failures + ${isFirst ? 1 : 0}::integer, failing_since = coalesce(failing_since, now()),
      last_error = ${messageFor(error)},
      packaging_status = case when ${isPackaged} then packaging_status else 'FAILURE' end
    where id = ${feed}`.execute(job.db)
  const fault = transportErrorIn(error)
  if (isFirst) await recordFailure(job.db, 'outgoing_feeds', feed, kindOf(error))
  await backOff(job.db, 'outgoing_feeds', feed, fault?.retryAfter)
}

const transportErrorIn = (error: unknown): TransportError | undefined =>
  [error, (error as Error).cause].find((one) => one instanceof TransportError)

/** An error with a message for users that is not from the transport is caused by the settings of the feed. */
const kindOf = (error: unknown): string =>
  transportErrorIn(error)?.kind ??
  (error instanceof TaskError || error instanceof ApiError ? 'configuration' : 'internal')

/** The message that readers of the feed may see. */
const messageFor = (error: unknown): string =>
  (error instanceof TransportError ? error.message : messageForReaders(error, INTERNAL)).slice(0, 2000)

const INTERNAL = 'An internal error ended the run; see the log of the server.'
