import { sql } from 'kysely'
import { type Job, TaskError } from '../../background/task.ts'
import { ApiError } from '../../engine/errors.ts'
import { TransportError } from '../collecting/collector.ts'
import { noteFailureKind } from '../failures.ts'
import { backOff } from '../feed-tasks.ts'

type FeedJob = Job<unknown>

/** Notes that a run of a feed has begun. */
export const noteStart = ({ db }: FeedJob, feed: number) =>
  sql`update outgoing_feeds set last_triggered_at = now() where id = ${feed}`.execute(db)

/** Notes that all that there was to do for a feed is done. */
export const noteSuccess = ({ db }: FeedJob, feed: number) =>
  sql`
  update outgoing_feeds set last_success_at = now(), failures = 0, failing_since = null, last_error = null
  where id = ${feed}`.execute(db)

/**
 * Notes that a run failed, and puts off the next one. Attempts of one run count as one: a fault of a moment is no reason to wait
 * longer the next time.
 */
export async function noteFailure(job: FeedJob, feed: number, error: unknown, isPackaged: boolean): Promise<void> {
  const isFirst = job.attempt === 1
  await sql`
    update outgoing_feeds
    set failures = failures + ${isFirst ? 1 : 0}::integer, failing_since = coalesce(failing_since, now()),
      last_error = ${said(error)},
      packaging_status = case when ${isPackaged} then packaging_status else 'FAILURE' end
    where id = ${feed}`.execute(job.db)
  const fault = transportErrorIn(error)
  if (isFirst) await noteFailureKind(job.db, 'outgoing_feeds', feed, kindOf(error))
  await backOff(job.db, 'outgoing_feeds', feed, fault?.retryAfter)
}

const transportErrorIn = (error: unknown): TransportError | undefined =>
  [error, (error as Error).cause].find((one) => one instanceof TransportError)

/** What is told to people and is no fault of the transport comes of how the feed is set. */
const kindOf = (error: unknown): string =>
  transportErrorIn(error)?.kind ??
  (error instanceof TaskError || error instanceof ApiError ? 'configuration' : 'internal')

/** What readers of the feed may know of an error. */
const said = (error: unknown): string => {
  const isSpoken =
    error instanceof TransportError || error instanceof TaskError || (error instanceof ApiError && error.status < 500)
  return isSpoken ? error.message.slice(0, 2000) : 'An internal error ended the run; the log of the server has more.'
}
