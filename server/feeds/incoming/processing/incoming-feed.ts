import { sql } from 'kysely'
import { z } from 'zod'
import { defineTask, type Job, type Outcome, TaskError } from '../../../background/task.ts'
import { storableText } from '../../../domain/storable-text.ts'
import { isDatabaseAway } from '../../../engine/errors.ts'
import { TransportError } from '../../collecting/collector.ts'
import { backOff } from '../../feed-tasks.ts'
import { recordFailure } from '../../health/failures.ts'
import { type Collected, collect } from './collect.ts'
import { type Feed, findFeed } from './feed.ts'
import { processBlobs } from './process-blobs.ts'

const parameters = z.object({
  feed: z.int().describe('The id of the feed.'),
  collect: z.boolean().default(true).describe('Whether it fetches; otherwise it only processes waiting blobs.'),
})

type FeedJob = Job<z.output<typeof parameters>>

/** Fetches what is new in a feed, and imports entities and observables from it. */
export const incomingFeed = defineTask({
  type: 'incoming-feed',
  doc: 'Fetches the content of an incoming feed and imports it. Each feed owns one of these tasks.',
  parameters,
  isUnique: true,
  expireInSeconds: 12 * 3600,
  run: async (job) => {
    const feed = await ownFeed(job)
    if (await isReplaced(job, feed)) {
      job.log('A later run of the feed replaces this one.')
      return { result: { ...NOTHING_COLLECTED, processed: 0, failed: 0, lost: 0 } }
    }
    await sql`update incoming_feeds set last_triggered_at = now(), finished_run = null where id = ${feed.id}`.execute(
      job.db,
    )
    try {
      const collected = job.parameters.collect ? await collect(job, feed) : NOTHING_COLLECTED
      await processBlobs(job, feed)
      if (collected.fault) throw collected.fault
      if (job.parameters.collect) await recordSuccess(job, feed)
      return await outcomeOf(job, collected)
    } catch (error) {
      job.signal.throwIfAborted()
      if (isDatabaseAway(error)) throw error
      await recordFailedRun(job, feed, error)
      throw error instanceof TransportError
        ? new TaskError(`${error.kind}: ${error.message}`, { isFinal: true })
        : error
    }
  },
})

const NOTHING_COLLECTED: Collected = { fetched: 0, new: 0, known: 0 }

/** The feed that owns the task of this run; no other run may do its work at the same time. */
async function ownFeed(job: FeedJob): Promise<Feed> {
  const feed = await findFeed(job, job.parameters.feed)
  const { rows } = await sql`
    select from task_runs where id = ${job.id} and task = ${feed?.update_task ?? null}::integer`.execute(job.db)
  if (feed && rows.length > 0) return feed
  throw new TaskError(`The task of this run does not belong to the incoming feed ${job.parameters.feed}.`, {
    isFinal: true,
  })
}

/** Whether another run was started since. This is possible if this one had nothing left to do when it failed. */
async function isReplaced({ db, id, attempt }: FeedJob, feed: Feed): Promise<boolean> {
  if (attempt === 1) return false
  const { rows } = await sql`
    select from task_runs as r
    where r.task = ${feed.update_task} and r.ended_at is null
      and (r.created_at, r.id) > (select o.created_at, o.id from task_runs as o where o.id = ${id})
    limit 1`.execute(db)
  return rows.length > 0
}

async function recordSuccess({ db }: FeedJob, feed: Feed): Promise<void> {
  await sql`
    update incoming_feeds
    set last_success_at = now(), failures = 0, failing_since = null, last_error = null, last_error_kind = null
    where id = ${feed.id}`.execute(db)
}

/** Records why the feed fails, and gives the server that it calls time to recover. */
async function recordFailedRun({ db }: FeedJob, feed: Feed, error: unknown): Promise<void> {
  const { kind, message, retryAfter } =
    error instanceof TransportError ? error : { kind: 'internal', message: INTERNAL, retryAfter: undefined }
  await sql`
    update incoming_feeds
    set failures = failures + 1, failing_since = coalesce(failing_since, now()), last_error_kind = ${kind},
      last_error = ${storableText(message, 2000)}
    where id = ${feed.id}`.execute(db)
  await recordFailure(db, 'incoming_feeds', feed.id, kind)
  await backOff(db, 'incoming_feeds', feed.id, retryAfter)
}

const INTERNAL = 'An internal error ended the run; see the log of the server.'

interface Tally {
  readonly processed: number
  readonly failed: number
  readonly lost: number
  readonly totals: Record<string, Record<string, number>>
}

async function outcomeOf(job: FeedJob, { fault: _, ...collected }: Collected): Promise<Outcome> {
  const { totals, ...tally } = await tallyOf(job)
  if (job.parameters.collect && collected.new === 0) job.log('Nothing new was fetched.')
  return {
    result: { ...collected, ...tally, ...totals },
    ...((tally.failed > 0 || tally.lost > 0) && { outcome: 'WARNING' as const }),
  }
}

/** Sums up everything that this run processed, in all of its attempts. */
async function tallyOf({ db, id }: FeedJob): Promise<Tally> {
  const { rows } = await sql<Tally>`
    with mine as (
      select state, result from incoming_blobs where run = ${id}
    ), counts as (
      select k.kind, o.outcome, sum(o.count::bigint) as count
      from mine, jsonb_each(mine.result) as k(kind, outcomes), jsonb_each_text(k.outcomes) as o(outcome, count)
      where jsonb_typeof(k.outcomes) = 'object'
      group by k.kind, o.outcome
    ), kinds as (
      select kind, jsonb_object_agg(outcome, count) as outcomes from counts group by kind
    )
    select count(*) as processed, count(*) filter (where state = 'FAILURE') as failed,
      coalesce(sum((result ->> 'lost')::bigint), 0)::bigint as lost,
      (select coalesce(jsonb_object_agg(kind, outcomes), '{}') from kinds) as totals
    from mine`.execute(db)
  return rows[0] ?? { processed: 0, failed: 0, lost: 0, totals: {} }
}
