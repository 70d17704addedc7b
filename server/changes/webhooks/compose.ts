import { type Changes, readChanges } from '../../background/followers/change-log.ts'
import { type Position, type Positions, readPositions } from '../../background/followers/position.ts'
import type { Context } from '../../engine/context.ts'
import { toUrl } from '../../engine/reference.ts'
import { type Event, eventsIn, type Subscription } from '../streams/events.ts'

const MAX_EVENTS = 500
const MAX_EVENTS_WITH_OBJECTS = 100
/** The maximum size of a body. */
const MAX_BODY_BYTES = 1024 * 1024

/** The fields of a webhook that determine the content of a delivery. */
export interface SubscribedWebhook extends Subscription {
  readonly id: number
}

/** The part of the change log that a delivery covers. */
export interface Span {
  readonly after: Position
  /** Null if it is not known yet how much fits into the body. */
  readonly upTo: Position | null
}

export interface Composed {
  /** The events, each as JSON. */
  readonly events: readonly string[]
  /** The position after everything that was included or skipped. */
  readonly end: Position
  readonly isLast: boolean
  readonly hasGap: boolean
}

/** Collects the events of a part of the log that the caller, the owner of the webhook, may see, as many as fit into one body. */
export async function compose(ctx: Context, webhook: SubscribedWebhook, { after, upTo }: Span): Promise<Composed> {
  const most = webhook.include_object ? MAX_EVENTS_WITH_OBJECTS : MAX_EVENTS
  const read = cutAt(await readChanges(ctx.db, after, webhook.collections, most), upTo)
  const events = await eventsIn(ctx, read.changes, webhook)
  const positions = await readPositions(ctx.db)
  const printed: string[] = []
  let size = 0
  for (const event of events) {
    const text = print(positions, event)
    size += Buffer.byteLength(text)
    const last = events[printed.length - 1]
    if (size > MAX_BODY_BYTES && last)
      return { events: printed, end: last.position, isLast: false, hasGap: read.hasGap }
    printed.push(text)
  }
  return { events: printed, end: read.end, isLast: read.isLast, hasGap: read.hasGap }
}

/** Prints an event, without its object if that alone exceeds the maximum size. */
function print(positions: Positions, { position, ...event }: Event): string {
  const shown = { id: positions.write(position), ...event }
  const text = JSON.stringify(shown)
  return Buffer.byteLength(text) <= MAX_BODY_BYTES ? text : JSON.stringify({ ...shown, data: null })
}

/** Cuts off changes after a position, if that is among those that were read. */
function cutAt(read: Changes, place: Position | null): Changes {
  const index = read.changes.findIndex(({ id }) => id === place?.change)
  const last = read.changes[index]
  if (!place || !last || (read.end.change === place.change && read.end.item <= place.item)) return read
  const cut = { ...last, ids: last.ids.slice(0, Math.max(place.item - last.skipped, 0)) }
  return { ...read, changes: [...read.changes.slice(0, index), cut], end: place, isLast: false }
}

/** The body of a request to a receiver. */
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
