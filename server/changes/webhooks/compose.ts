import { type Changes, readChanges } from '../../background/followers/change-log.ts'
import { type Position, type Positions, readPositions } from '../../background/followers/position.ts'
import { toUrl } from '../../engine/reference.ts'
import type { Context } from '../../engine/resource.ts'
import { type Event, eventsIn, type Subscription } from '../streams/events.ts'

const EVENTS_AT_ONCE = 500
const OBJECTS_AT_ONCE = 100
/** The largest body that is sent. */
export const MOST_BYTES = 1024 * 1024

/** A webhook as far as it decides what is in a delivery. */
export interface Told extends Subscription {
  readonly id: number
}

/** The part of the log of changes that a delivery is about. */
export interface Span {
  readonly after: Position
  /** Null when it is not known yet how much fits. */
  readonly upTo: Position | null
}

export interface Composed {
  /** The events, each as JSON. */
  readonly events: readonly string[]
  /** Behind all that was told or passed by. */
  readonly end: Position
  readonly isLast: boolean
  readonly hasGap: boolean
}

/** What the caller, who is the owner of the webhook, is to be told of a part of the log, as much as one body can hold. */
export async function compose(ctx: Context, webhook: Told, { after, upTo }: Span): Promise<Composed> {
  const most = webhook.include_object ? OBJECTS_AT_ONCE : EVENTS_AT_ONCE
  const read = cutAt(await readChanges(ctx.db, after, webhook.collections, most), upTo)
  const events = await eventsIn(ctx, read.changes, webhook)
  const positions = await readPositions(ctx.db)
  const printed: string[] = []
  let size = 0
  for (const event of events) {
    const text = print(positions, event)
    size += Buffer.byteLength(text)
    const last = events[printed.length - 1]
    if (size > MOST_BYTES && last) return { events: printed, end: last.position, isLast: false, hasGap: read.hasGap }
    printed.push(text)
  }
  return { events: printed, end: read.end, isLast: read.isLast, hasGap: read.hasGap }
}

/** An object that alone is larger than a body may be is left out. */
function print(positions: Positions, { position, ...event }: Event): string {
  const told = { id: positions.write(position), ...event }
  const text = JSON.stringify(told)
  return Buffer.byteLength(text) <= MOST_BYTES ? text : JSON.stringify({ ...told, data: null })
}

/** No more than up to a place, where that is among what was read. */
function cutAt(read: Changes, place: Position | null): Changes {
  const index = read.changes.findIndex(({ id }) => id === place?.change)
  const last = read.changes[index]
  if (!place || !last || (read.end.change === place.change && read.end.item <= place.item)) return read
  const cut = { ...last, ids: last.ids.slice(0, Math.max(place.item - last.skipped, 0)) }
  return { ...read, changes: [...read.changes.slice(0, index), cut], end: place, isLast: false }
}

/** The body of a call. */
export function bodyOf(
  baseUrl: string,
  webhookId: number,
  deliveryId: string,
  { events, hasGap }: Pick<Composed, 'events' | 'hasGap'>,
  isTest = false,
): string {
  const about = {
    webhook: toUrl(baseUrl, 'webhooks', webhookId),
    delivery: deliveryId,
    is_test: isTest,
    has_gap: hasGap,
  }
  return `${JSON.stringify(about).slice(0, -1)},"events":[${events.join(',')}]}`
}
