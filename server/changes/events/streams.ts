import { isDeepStrictEqual } from 'node:util'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { readTip } from '../../background/followers/change-log.ts'
import type { Position } from '../../background/followers/position.ts'
import { ApiError, unavailable } from '../../engine/errors.ts'
import { createSemaphore, type Semaphore } from '../../engine/semaphore.ts'
import { apart } from '../../engine/work.ts'

/** So many streams a user may have open at a process, and all users together. */
export const MOST_PER_USER = 5
const MOST = 500

const PACE = {
  lookMs: 500,
  /** So often a reader is told that the stream is still there. */
  heartbeatMs: 15_000,
  /** Who has taken nothing for so long is not there any more, or may as well come again. */
  patienceMs: 60_000,
}
/** Streams must not take the connections that requests wait for. */
const READING_AT_ONCE = 2

/** A stream that is open. */
export interface Seat {
  /** Aborts when the stream is to end. */
  readonly signal: AbortSignal
  /** To be set while the reader takes something, and not otherwise. */
  stalledAt: number | null
  leave(): void
}

/** The streams that are open at this process. */
export interface Streams {
  /** Takes a seat; `cutOff` ends a stream that does not end by itself. A 429 when the user has too many. */
  take(userId: number, cutOff: () => void): Seat
  /** Rises whenever there is something new to read. */
  news(): number
  /** Resolves when there is news since then, after a time, or when the signal aborts; tells whether there is news. */
  wait(since: number, ms: number, signal: AbortSignal): Promise<boolean>
  readonly reading: Semaphore
  readonly heartbeatMs: number
  /** Ends all streams. */
  close(): void
}

/** One look at the database for all streams tells whether there is anything to read; without a stream nobody looks. */
export function openStreams(db: Kysely<unknown>, log: Logger, pace = PACE): Streams {
  const seats = new Set<{ userId: number; end: AbortController; cutOff: () => void; seat: Seat }>()
  const waiting = new Set<() => void>()
  let news = 0
  let tip: Position | undefined
  let timer: NodeJS.Timeout | undefined
  let hasFailed = false
  let isClosed = false

  const look = async (): Promise<void> => {
    try {
      const found = await readTip(db)
      if (!isDeepStrictEqual(found, tip)) {
        tip = found
        news++
        for (const wake of [...waiting]) wake()
      }
      hasFailed = false
    } catch (error) {
      if (!hasFailed) log.warn(error, 'looking for changes failed; it is tried again')
      hasFailed = true
    }
    const tooLate = Date.now() - pace.patienceMs
    for (const { seat, cutOff } of seats) if (seat.stalledAt !== null && seat.stalledAt < tooLate) cutOff()
    timer = seats.size > 0 && !isClosed ? setTimeout(look, pace.lookMs).unref() : undefined
  }

  return {
    take: (userId, cutOff) => {
      if (isClosed || seats.size >= MOST) throw unavailable('No more streams can be opened here at the moment.')
      const own = [...seats].filter((each) => each.userId === userId)
      if (own.length >= MOST_PER_USER) {
        throw new ApiError(429, `You have ${MOST_PER_USER} streams open already: close one of them first.`)
      }
      const end = new AbortController()
      const seat: Seat = {
        signal: end.signal,
        stalledAt: null,
        leave: () => {
          seats.delete(taken)
          end.abort()
        },
      }
      const taken = { userId, end, cutOff, seat }
      seats.add(taken)
      // For all streams, not as part of the request that happens to be the first.
      timer ??= apart(() => setTimeout(look, pace.lookMs).unref())
      return seat
    },
    news: () => news,
    wait: async (since, ms, signal) => {
      if (news === since && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const wake = () => {
            clearTimeout(limit)
            waiting.delete(wake)
            signal.removeEventListener('abort', wake)
            resolve()
          }
          const limit = setTimeout(wake, ms).unref()
          waiting.add(wake)
          signal.addEventListener('abort', wake)
        })
      }
      return news !== since
    },
    reading: createSemaphore(READING_AT_ONCE),
    heartbeatMs: pace.heartbeatMs,
    close: () => {
      isClosed = true
      clearTimeout(timer)
      for (const { seat, end, cutOff } of seats) {
        end.abort()
        // Whoever takes nothing does not hear of the end either.
        if (seat.stalledAt !== null) cutOff()
      }
    },
  }
}
