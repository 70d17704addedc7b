import { Readable } from 'node:stream'
import { type Changes, readChanges } from '../../background/followers/change-log.ts'
import type { Position, Positions } from '../../background/followers/position.ts'
import { ApiError } from '../../engine/errors.ts'
import type { Context } from '../../engine/resource.ts'
import { type Event, eventsIn, type Subscription } from '../streams/events.ts'
import { permissionsFor } from '../streams/streamed.ts'
import type { Seat, Streams } from './streams.ts'

const RETRY_MS = 3000
const OBJECTS_AT_ONCE = 100
const EVENTS_AT_ONCE = 1000
/** So much waits for a slow reader, beside what was read from the database at a time. */
const HELD_BYTES = 64 * 1024

/** A stream as it was asked for. */
export interface Asked extends Subscription {
  readonly after: Position
  readonly positions: Positions
}

/** Server-sent events: nothing more is read from the database before the reader has taken what was. */
export function streamOf(ctx: Context, streams: Streams, asked: Asked): Readable {
  const seat = streams.take(ctx.caller.id, () => stream.destroy())
  const iterator = frames(ctx, streams, seat, asked)
  const stream = new Readable({
    highWaterMark: HELD_BYTES,
    read: () => {
      const hand = ({ value, done }: IteratorResult<string>) => stream.destroyed || stream.push(done ? null : value)
      iterator.next().then(hand, (error) => stream.destroy(error))
    },
    // At once: a stream made from the generator itself would wait for it, and it waits for news.
    destroy: (error, done) => {
      seat.leave()
      done(error)
    },
  })
  return stream
}

async function* frames(ctx: Context, streams: Streams, seat: Seat, asked: Asked): AsyncGenerator<string> {
  const place = () => `id: ${asked.positions.write(position)}\n`
  let position = asked.after
  yield* handOver(seat, `retry: ${RETRY_MS}\n${place()}\n`)
  while (!seat.signal.aborted) {
    const news = streams.news()
    const portion = await streams.reading(() => readPortion(ctx, position, asked)).catch(endOf)
    if ('reason' in portion) {
      yield* handOver(seat, `event: end\ndata: ${JSON.stringify(portion)}\n\n`)
      return
    }
    position = portion.end
    if (portion.events.length > 0) yield* handOver(seat, portion.events.map((event) => frame(asked, event)).join(''))
    if (!portion.isLast) continue
    const hasNews = await streams.wait(news, streams.heartbeatMs, seat.signal)
    // An id without data moves the reader's place on, past what they were not told.
    if (!hasNews && !seat.signal.aborted) yield* handOver(seat, `: still here\n${place()}\n`)
  }
}

/** Gives a text to the reader; while they do not take it, the generator stands still here. */
function* handOver(seat: Seat, text: string): Generator<string> {
  seat.stalledAt = Date.now()
  yield text
  seat.stalledAt = null
}

interface Portion extends Changes {
  readonly events: readonly Event[]
}

/** What comes next, for who the caller is by now. */
async function readPortion(ctx: Context, after: Position, asked: Asked): Promise<Portion> {
  const caller = (await ctx.renew?.()) ?? ctx.caller
  const lacking = permissionsFor(ctx, asked.collections).filter((name) => !caller.permissions.has(name))
  if (lacking.length > 0) throw new ApiError(403, 'Your permissions have changed.')
  const most = asked.include_object ? OBJECTS_AT_ONCE : EVENTS_AT_ONCE
  const read = await readChanges(ctx.db, after, asked.collections, most)
  if (read.hasGap) throw GONE
  return { ...read, events: await eventsIn({ ...ctx, caller }, read.changes, asked) }
}

/** The place to read on from is older than the history that is kept. */
export const GONE = new ApiError(
  410,
  'The history that is kept does not go back so far: changes may be missing. Read the collections again, then begin a new stream.',
)

/** Why a stream ends. What is not the reader's affair looks like a lost connection: they come again. */
function endOf(error: unknown): { status: number; reason: string } {
  if (error instanceof ApiError && error.status < 500) return { status: error.status, reason: error.message }
  throw error
}

function frame({ positions }: Asked, { position, ...event }: Event): string {
  const id = positions.write(position)
  return `id: ${id}\ndata: ${JSON.stringify({ id, ...event })}\n\n`
}
