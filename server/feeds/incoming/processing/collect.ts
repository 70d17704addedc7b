import { sql } from 'kysely'
import type { Job } from '../../../background/task.ts'
import type { Item } from '../../../engine/resource.ts'
import { retried } from '../../../engine/retried.ts'
import { blobsOf, keepBlobs } from '../../../intelligence/stored-blobs/store.ts'
import { type Collecting, type Piece, type Step, TransportError } from '../../collecting/collector.ts'
import { collectorOf } from '../../collecting/collectors.ts'
import { wholeConfiguration } from '../../transport-secrets.ts'
import { INCOMING_TRANSPORTS } from '../../transports.ts'
import { moveCursor, takeIn } from '../arrivals.ts'
import type { Feed } from './feed.ts'
import { beginWalk, endWalk } from './transfers.ts'

/** What a collection brought. */
export interface Collected {
  readonly fetched: number
  readonly new: number
  readonly known: number
  /** Why not all there is could be fetched. */
  readonly fault?: TransportError | undefined
}

/** Fetches what is new, and stores it piece by piece; what was stored stays, whatever happens then. */
export async function collect(job: Job<unknown>, feed: Feed): Promise<Collected> {
  const counts = { fetched: 0, new: 0, known: 0 }
  const walk = isWalk(feed) ? await beginWalk(job) : undefined
  let isChanged = false
  let fault: TransportError | undefined
  try {
    for await (const step of await stepsOf(job, feed, feed.cursor, job.signal)) {
      job.signal.throwIfAborted()
      try {
        // Behind a piece that could not be had, no place is remembered: from there it is tried again.
        const stored = await store(job, feed, step, fault === undefined ? step.cursor : undefined, walk)
        if (stored === 'changed') {
          job.log('The feed was changed in between: its next run goes on with what it is now.')
          isChanged = true
          break
        }
        if (stored !== 'no piece') {
          counts.fetched++
          counts[stored]++
        }
      } catch (error) {
        if (!(error instanceof TransportError)) throw error
        job.log(`${step.piece?.name.slice(0, 200)} was left out: ${error.message}.`)
        fault ??= error
      }
    }
  } catch (error) {
    job.signal.throwIfAborted()
    if (!(error instanceof TransportError)) throw error
    fault ??= error
  }
  if (walk !== undefined && !fault && !isChanged) await endWalk(job, feed, walk)
  return { ...counts, fault }
}

/** Whether a feed fetches everything there is in several pieces: only all of them together tell what is gone. */
const isWalk = ({ update_strategy, transport_type }: Feed): boolean =>
  update_strategy === 'REPLACE' && INCOMING_TRANSPORTS[transport_type].isPaged === true

/** The steps of what a feed fetches from a place on. */
export async function stepsOf(
  job: Job<unknown>,
  feed: Feed,
  cursor: Item | null,
  signal: AbortSignal,
  largest = job.largestFile ?? Number.MAX_SAFE_INTEGER,
): Promise<AsyncIterable<Step>> {
  const { outbound, feedFolders: folders = [], vault } = job
  if (!outbound) throw new TypeError('This process calls nobody.')
  const collector = await collectorOf(feed.transport_type)
  const configuration = wholeConfiguration(vault, INCOMING_TRANSPORTS[feed.transport_type], feed)
  const isWhole = feed.update_strategy === 'REPLACE'
  const collecting: Collecting = { configuration, cursor, outbound, folders, largest, signal, isWhole, log: job.log }
  return collector(collecting)
}

type Stored = 'new' | 'known' | 'no piece' | 'changed'

/** Stores a step: the bytes first, then in one transaction what refers to them and the place to go on from. */
async function store(
  job: Job<unknown>,
  feed: Feed,
  step: Step,
  cursor: Item | null | undefined,
  walk: number | undefined,
): Promise<Stored> {
  const { piece } = step
  await using draft = piece && (await receive(job, piece))
  if (draft && draft.size === 0) job.log(`${piece?.name.slice(0, 200)} is empty.`)
  const isKept = draft !== undefined && draft.size > 0
  if (isKept) await keepBlobs(job, [draft])
  const stored = await retried(() =>
    job.db.transaction().execute(async (db): Promise<Stored> => {
      if (!(await isAsItWas(db, feed))) return 'changed'
      if (isKept && piece) {
        const part = { transfer: walk, isPart: walk !== undefined }
        const { isNew } = await takeIn({ db }, feed.id, draft, { ...piece, ...part, cursor })
        return isNew ? 'new' : 'known'
      }
      if (cursor !== undefined) await moveCursor({ db }, feed.id, cursor)
      return 'no piece'
    }),
  )
  if (stored !== 'changed') await step.stored?.()
  return stored
}

async function receive(job: Job<unknown>, { content }: Piece) {
  try {
    return await blobsOf(job).receive(content, job.largestFile)
  } catch (error) {
    if (!(error instanceof Error && 'mostBytes' in error)) throw error
    throw new TransportError('too-large', `it has ${error.message}`)
  }
}

/** A place belongs to the way by which it was reached. */
async function isAsItWas(db: Job['db'], feed: Feed): Promise<boolean> {
  const { rows } = await sql<{ is_same: boolean }>`
    select transport_type = ${feed.transport_type}
      and transport_configuration = ${JSON.stringify(feed.transport_configuration)}::jsonb as is_same
    from incoming_feeds
    where id = ${feed.id}
    for no key update`.execute(db)
  return rows[0]?.is_same === true
}
