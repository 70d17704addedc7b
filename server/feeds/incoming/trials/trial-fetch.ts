import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Job } from '../../../background/task.ts'
import type { Document } from '../../../formats/document.ts'
import { blobsOf } from '../../../intelligence/stored-blobs/store.ts'
import { type Piece, TransportError } from '../../collecting/collector.ts'
import { stepsOf } from '../processing/collect.ts'
import type { Trial } from './test-incoming-feed.ts'

const MAX_PIECES = 20
const MAX_TOTAL_BYTES = 50 * 1024 * 1024
const MAX_SECONDS = 60

/** A piece that was fetched for a trial. */
export interface TriedPiece {
  readonly document: Document
  readonly contentType: string | null
  readonly signature: string | undefined
  readonly about: Piece['about']
  readonly isKnown: boolean
}

/** What was fetched for a trial. */
export interface TrialFetch {
  readonly pieces: readonly TriedPiece[]
  readonly bounds: readonly string[]
  readonly fault: TransportError | undefined
  readonly log: readonly string[]
}

/** Fetches the content of a feed within bounds; temporary files are disposed with `kept`. */
export async function fetchTrial(job: Job<unknown>, trial: Trial, kept: AsyncDisposableStack): Promise<TrialFetch> {
  const pieces: TriedPiece[] = []
  const bounds: string[] = []
  const log: string[] = []
  const late = AbortSignal.timeout(MAX_SECONDS * 1000)
  const note = (line: string) => {
    if (log.length < 100) log.push(line)
    job.log(line)
  }
  let remaining = MAX_TOTAL_BYTES
  try {
    const steps = await stepsOf(
      { ...job, log: note },
      trial.feed,
      trial.feed.cursor,
      AbortSignal.any([job.signal, late]),
    )
    for await (const { piece } of steps) {
      if (!piece) continue
      if (pieces.length === MAX_PIECES) {
        bounds.push(`only the first ${MAX_PIECES} pieces were fetched`)
        break
      }
      const tried = await fetchPiece(job, trial, piece, remaining, kept)
      if (!tried) {
        bounds.push(`only the first ${MAX_TOTAL_BYTES / 1024 / 1024} MiB were fetched`)
        break
      }
      pieces.push(tried)
      remaining -= tried.document.size
    }
    return { pieces, bounds, fault: undefined, log }
  } catch (error) {
    job.signal.throwIfAborted()
    if (late.aborted)
      return { pieces, bounds: [...bounds, `fetching stopped after ${MAX_SECONDS} seconds`], fault: undefined, log }
    if (error instanceof TransportError) return { pieces, bounds, fault: error, log }
    throw error
  }
}

/** Undefined if the piece exceeds the remaining bytes. */
async function fetchPiece(
  job: Job<unknown>,
  { knownTo }: Trial,
  { name, content, contentType, signature, about }: Piece,
  remaining: number,
  kept: AsyncDisposableStack,
): Promise<TriedPiece | undefined> {
  const hash = createHash('sha256')
  const hashed = async function* () {
    for await (const bytes of content) {
      hash.update(bytes)
      yield bytes
    }
  }
  try {
    const spooled = kept.use(await blobsOf(job).spool(hashed(), remaining))
    const { rows } = await sql`
      select from incoming_blobs
      where feed = ${knownTo}::integer and sha256 = ${hash.digest('hex')} and not is_forgotten`.execute(job.db)
    const document = { name, size: spooled.size, open: () => spooled.open() }
    return { document, contentType, signature, about, isKnown: rows.length > 0 }
  } catch (error) {
    if (error instanceof Error && 'mostBytes' in error) return undefined
    throw error
  }
}
