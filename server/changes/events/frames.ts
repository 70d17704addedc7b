import { Readable } from 'node:stream'
import { type Changes, readChanges } from '../../background/followers/change-log.ts'
import type { Position, Positions } from '../../background/followers/position.ts'
import type { Context } from '../../engine/context.ts'
import { ApiError } from '../../engine/errors.ts'
import { type Event, eventsIn, type Subscription } from '../streams/events.ts'
import { permissionsFor } from '../streams/streamed.ts'
import type { Seat, Streams } from './streams.ts'

const RETRY_MS = 3000
const MAX_EVENTS_WITH_OBJECTS = 100
const MAX_EVENTS = 1000
/** How much is buffered for a slow reader, in addition to what was read from the database at a time. */
const MAX_BUFFERED_BYTES = 64 * 1024

/** The request for a stream. */
export interface Asked extends Subscription {
  readonly after: Position
  readonly positions: Positions
}

/** Streams server-sent events. The database is read only once the client has taken the previous events. */
export function streamOf(ctx: Context, streams: Streams, asked: Asked): Readable {
  const seat = streams.take(ctx.caller.id, () => stream.destroy())
  const iterator = frames(ctx, streams, seat, asked)
  const stream = new Readable({
    highWaterMark: MAX_BUFFERED_BYTES,
    read: () => {
      const hand = ({ value, done }: IteratorResult<string>) => stream.destroyed || stream.push(done ? null : value)
      iterator.next().then(hand, (error) => stream.destroy(error))
    },
    // Immediately: a stream made from the generator would first wait for the generator, which waits for changes.
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
    // An id without data moves the client's position past changes that it does not see.
    if (!hasNews && !seat.signal.aborted) yield* handOver(seat, `: still here\n${place()}\n`)
  }
}

/** Passes text to the client; the generator waits while the client does not take it. */
function* handOver(seat: Seat, text: string): Generator<string> {
  seat.stalledAt = Date.now()
  yield text
  seat.stalledAt = null
}

interface Portion extends Changes {
  readonly events: readonly Event[]
}

/** Reads the next events, with the caller's current permissions. */
async function readPortion(ctx: Context, after: Position, asked: Asked): Promise<Portion> {
  const caller = (await ctx.renew?.()) ?? ctx.caller
  const lacking = permissionsFor(ctx, asked.collections).filter((name) => !caller.permissions.has(name))
  if (lacking.length > 0) throw new ApiError(403, 'Your permissions have changed.')
  const most = asked.include_object ? MAX_EVENTS_WITH_OBJECTS : MAX_EVENTS
  const read = await readChanges(ctx.db, after, asked.collections, most)
  if (read.hasGap) throw GONE
  return { ...read, events: await eventsIn({ ...ctx, caller }, read.changes, asked) }
}

/** The position to continue from is older than the retained history. */
export const GONE = new ApiError(
  410,
  'The position is older than the retained history, so changes may be missing. Read the collections again, then start a new stream.',
)

/** Why a stream ends. Internal errors look like a lost connection, so that clients reconnect. */
function endOf(error: unknown): { status: number; reason: string } {
  if (error instanceof ApiError && error.status < 500) return { status: error.status, reason: error.message }
  throw error
}

function frame({ positions }: Asked, { position, ...event }: Event): string {
  const id = positions.write(position)
  return `id: ${id}\ndata: ${JSON.stringify({ id, ...event })}\n\n`
}
