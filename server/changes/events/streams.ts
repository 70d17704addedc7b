import { isDeepStrictEqual } from 'node:util'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { readTip } from '../../background/followers/change-log.ts'
import type { Position } from '../../background/followers/position.ts'
import { ApiError, unavailable } from '../../engine/errors.ts'
import { createSemaphore, type Semaphore } from '../../engine/semaphore.ts'
import { outsideWork } from '../../engine/work.ts'

/** How many streams a user may have open at a process. */
const MAX_STREAMS_PER_USER = 5
/** How many streams a process serves. */
const MAX_STREAMS = 500

const PACE = {
  lookMs: 500,
  /** How often an idle stream sends a comment. */
  heartbeatMs: 15_000,
  /** A client that takes nothing for this long is disconnected; it can reconnect. */
  stallTimeoutMs: 60_000,
}
/** Limits parallel reads, so that streams do not use up the connections for requests. */
const MAX_PARALLEL_READS = 2

/** An open stream. */
export interface Seat {
  /** Aborts when the stream must end. */
  readonly signal: AbortSignal
  /** Since when the client has not taken what was passed to it; null while nothing waits for it. */
  stalledAt: number | null
  leave(): void
}

/** The open streams of this process. */
export interface Streams {
  /** Registers a stream; `cutOff` ends it if it does not end by itself. Throws a 429 if the user has too many. */
  take(userId: number, cutOff: () => void): Seat
  /** A counter that increases whenever there is something new to read. */
  news(): number
  /** Resolves when there is news, after a time, or when the signal aborts; gives whether there is news. */
  wait(since: number, ms: number, signal: AbortSignal): Promise<boolean>
  readonly reading: Semaphore
  readonly heartbeatMs: number
  /** Ends all streams. */
  close(): void
}

/** Polls the database once for all streams, and only while there are streams. */
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
      if (!hasFailed) log.warn(error, 'looking for changes failed and will be tried again')
      hasFailed = true
    }
    const tooLate = Date.now() - pace.stallTimeoutMs
    for (const { seat, cutOff } of seats) if (seat.stalledAt !== null && seat.stalledAt < tooLate) cutOff()
    timer = seats.size > 0 && !isClosed ? setTimeout(look, pace.lookMs).unref() : undefined
  }

  return {
    take: (userId, cutOff) => {
      if (isClosed || seats.size >= MAX_STREAMS)
        throw unavailable('This process cannot open more streams at the moment.')
      const own = [...seats].filter((each) => each.userId === userId)
      if (own.length >= MAX_STREAMS_PER_USER) {
        throw new ApiError(429, `You already have ${MAX_STREAMS_PER_USER} open streams. Close one of them first.`)
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
      timer ??= outsideWork(() => setTimeout(look, pace.lookMs).unref())
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
    reading: createSemaphore(MAX_PARALLEL_READS),
    heartbeatMs: pace.heartbeatMs,
    close: () => {
      isClosed = true
      clearTimeout(timer)
      for (const { seat, end, cutOff } of seats) {
        end.abort()
        // A stalled client would not read the end either.
        if (seat.stalledAt !== null) cutOff()
      }
    },
  }
}
