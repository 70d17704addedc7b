import { sql } from 'kysely'
import type { Job } from '../../../background/task.ts'
import type { Item } from '../../../engine/context.ts'
import { retried } from '../../../engine/retried.ts'
import { blobsOf, keepBlobs } from '../../../intelligence/stored-blobs/store.ts'
import { type Collecting, type Piece, type Step, TransportError } from '../../collecting/collector.ts'
import { collectorOf } from '../../collecting/collectors.ts'
import { configurationWithSecrets } from '../../transports/transport-secrets.ts'
import { INCOMING_TRANSPORTS } from '../../transports/transports.ts'
import { storeArrival, storeCursor } from '../store-arrival.ts'
import type { Feed } from './feed.ts'
import { beginWalk, endWalk } from './transfers.ts'

/** The result of a collection. */
export interface Collected {
  readonly fetched: number
  readonly new: number
  readonly known: number
  /** Why not everything could be fetched. */
  readonly fault?: TransportError | undefined
}

/** Fetches what is new and stores it piece by piece; stored pieces stay even if a later one fails. */
export async function collect(job: Job<unknown>, feed: Feed): Promise<Collected> {
  const counts = { fetched: 0, new: 0, known: 0 }
  const walk = isWalk(feed) ? await beginWalk(job) : undefined
  let isChanged = false
  let fault: TransportError | undefined
  try {
    for await (const step of await stepsOf(job, feed, feed.cursor, job.signal)) {
      job.signal.throwIfAborted()
      try {
        // After a piece that failed, no cursor is stored, so that the next run fetches it again.
        const stored = await store(job, feed, step, fault === undefined ? step.cursor : undefined, walk)
        if (stored === 'changed') {
          job.log('The feed was changed during the run: the next run uses its new settings.')
          isChanged = true
          break
        }
        if (stored !== 'no piece') {
          counts.fetched++
          counts[stored]++
        }
      } catch (error) {
        if (!(error instanceof TransportError)) throw error
        job.log(`${step.piece?.name.slice(0, 200)} was skipped: ${error.message}.`)
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

/** Whether a feed fetches its complete content in several pieces, so that only all of them together show what was removed. */
const isWalk = ({ update_strategy, transport_type }: Feed): boolean =>
  update_strategy === 'REPLACE' && INCOMING_TRANSPORTS[transport_type].isPaged === true

/** The steps of fetching a feed from a cursor on. */
export async function stepsOf(
  job: Job<unknown>,
  feed: Feed,
  cursor: Item | null,
  signal: AbortSignal,
  maxPieceBytes = job.largestFile ?? Number.MAX_SAFE_INTEGER,
): Promise<AsyncIterable<Step>> {
  const { outbound, feedFolders: folders = [], vault } = job
  if (!outbound) throw new TypeError('This process cannot call other servers.')
  const collector = await collectorOf(feed.transport_type)
  const configuration = configurationWithSecrets(vault, INCOMING_TRANSPORTS[feed.transport_type], feed)
  const isWhole = feed.update_strategy === 'REPLACE'
  const collecting: Collecting = {
    configuration,
    cursor,
    outbound,
    folders,
    maxPieceBytes,
    signal,
    isWhole,
    log: job.log,
  }
  return collector(collecting)
}

type Stored = 'new' | 'known' | 'no piece' | 'changed'

/** Stores a step: first its bytes, then in one transaction the blob that refers to them and the cursor. */
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
      if (!(await isUnchanged(db, feed))) return 'changed'
      if (isKept && piece) {
        const part = { transfer: walk, isPart: walk !== undefined }
        const { isNew } = await storeArrival({ db }, feed.id, draft, { ...piece, ...part, cursor })
        return isNew ? 'new' : 'known'
      }
      if (cursor !== undefined) await storeCursor({ db }, feed.id, cursor)
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

/** Whether the transport is still the one of the run, because a cursor is only valid for the transport that produced it. */
async function isUnchanged(db: Job['db'], feed: Feed): Promise<boolean> {
  const { rows } = await sql<{ is_same: boolean }>`
    select transport_type = ${feed.transport_type}
      and transport_configuration = ${JSON.stringify(feed.transport_configuration)}::jsonb as is_same
    from incoming_feeds
    where id = ${feed.id}
    for no key update`.execute(db)
  return rows[0]?.is_same === true
}
