import { z } from 'zod'
import { defineTask, type Job, type Outcome, TaskError } from '../../../background/task.ts'
import type { Item } from '../../../engine/context.ts'
import { asCaller } from '../../../identity/access/as-caller.ts'
import { storeReport } from '../../reports.ts'
import { type Feed, findFeed, findMapping } from '../processing/feed.ts'
import { requireSourceAllowed } from '../source-access.ts'
import { fetchTrial } from './trial-fetch.ts'
import { importTrial } from './trial-import.ts'
import type { TrialReport } from './trial-report.ts'

const parameters = z.object({
  feed: z.int().nullable().default(null).describe('The id of the feed; null if it is not stored.'),
  from_start: z.boolean().default(false).describe('Whether it also includes what was fetched before.'),
  definition: z.string().describe('The differences from the stored feed, sealed.'),
})

type TrialJob = Job<z.output<typeof parameters>>

/** Fetches and imports the content of a feed as a trial, and stores nothing except the report. */
export const testIncomingFeed = defineTask({
  type: 'test-incoming-feed',
  doc: 'Fetches and imports the content of an incoming feed as a trial, and reports the outcome to the user who starts it.',
  parameters,
  retryLimit: 1,
  expireInSeconds: 600,
  run: async (job) => {
    const trial = await readTrial(job)
    await using kept = new AsyncDisposableStack()
    const fetched = await fetchTrial(job, trial, kept)
    job.progress(0.5)
    const report: TrialReport = { incoming_feed: job.parameters.feed, ...(await importTrial(job, trial, fetched)) }
    await storeReport(job, job.id, job.callerId ?? 0, report)
    return outcomeOf(report)
  },
})

/** A feed as it would run in the trial. */
export interface Trial {
  readonly feed: Feed
  /** The stored feed whose blobs count as known; null if none count. */
  readonly knownTo: number | null
}

const NOT_SEALED_FOR_RUN = 'A test is started at /incoming-feeds/test or /incoming-feeds/{id}/test.'

async function readTrial(job: TrialJob): Promise<Trial> {
  const { feed: id, from_start: isFromStart, definition } = job.parameters
  const given = await unsealed(job, definition)
  await asCaller(job, ['modify incoming-feeds'], 'read committed', async (ctx) => {
    if (id !== null) await requireSourceAllowed(ctx, id)
  })
  const stored = id === null ? undefined : await findFeed(job, id)
  if (id !== null && !stored) throw new TaskError(`There is no incoming feed ${id}.`, { isFinal: true })
  const mapping =
    given.csv_mapping === undefined ? {} : { csv_mapping: await findMapping(job, given.csv_mapping as number) }
  const isOtherTransport = given.transport_configuration !== undefined
  const feed = {
    ...NEW_FEED,
    ...stored,
    ...given,
    ...mapping,
    ...((isFromStart || isOtherTransport) && { cursor: null }),
  } as Feed
  return { feed, knownTo: isFromStart ? null : id }
}

/** The defaults of a feed that is not stored. */
const NEW_FEED = {
  id: 0,
  name: 'Test',
  source: '',
  content_type: null,
  half_life: null,
  source_reliability: null,
  tlp_color_override: null,
  tags: [],
  require_valid_signature: false,
  archive_password: null,
  csv_mapping: null,
  cursor: null,
  update_task: 0,
  update_strategy: 'APPEND',
  withdrawn: 'mark',
} satisfies Partial<Feed>

/** The definition that was sealed for this user and this feed. */
async function unsealed(job: TrialJob, sealed: string): Promise<Item> {
  const text = await new Promise<string>((resolve) => resolve(job.vault.open(sealed))).catch(() => '{}')
  const { by, feed, given } = JSON.parse(text)
  if (by !== job.callerId || feed !== job.parameters.feed) throw new TaskError(NOT_SEALED_FOR_RUN, { isFinal: true })
  return given
}

function outcomeOf({ pieces, counts, fault, bounds, losses }: TrialReport): Outcome {
  const result = { pieces: pieces.length, ...counts, fault, bounds }
  const hasProblems = fault !== null || losses.length > 0 || pieces.some(({ reason }) => reason !== null)
  return { result, ...(hasProblems && { outcome: 'WARNING' as const }) }
}
