import type { Follower, Surroundings } from '../../../background/followers/follower.ts'
import type { Context } from '../../../engine/context.ts'
import { ApiError } from '../../../engine/errors.ts'
import { makeId } from '../../../engine/ids.ts'
import { asUser } from '../../../identity/access/as-user.ts'
import type { Server } from '../../../server.ts'
import { bodyOf, type Composed, compose } from '../compose.ts'
import { isGone, type Outcome, send } from '../send.ts'
import { WEBHOOKS } from '../webhook-operations.ts'
import { begin, type Claimed, type Consequence, hold, isDue, noteFailure, noteSuccess, passBy } from './claims.ts'

/** Seconds between attempts, about a day in total. After the last one, the webhook is suspended. */
export const RETRY_PAUSES_SECONDS = [10, 30, 60, 300, 900, 1800, 3600, 7200, 14_400, 28_800, 28_800]

/** How many receivers a process calls in parallel, so that a slow one delays only itself. */
const MAX_PARALLEL_RECEIVERS = 50

/**
 * Follows the change log for each webhook. Its effects are outside the database: the position moves once the receiver has confirmed, so
 * a receiver may get a delivery twice, but never misses one.
 */
export const webhooks: Follower = {
  name: WEBHOOKS,
  concurrency: MAX_PARALLEL_RECEIVERS,
  due: isDue,
  advance: deliverNext,
}

/** Sends the next delivery of a webhook; gives whether there is more to deliver now. */
async function deliverNext({ server, claim, signal, reading }: Surroundings, id: number): Promise<boolean> {
  const { db } = server
  const webhook = await hold(db, id, claim)
  const caller = webhook && (await asUser(server, webhook.created_by))
  if (!webhook || !caller) return false
  const baseUrl = server.publicUrl ?? webhook.base_url
  const composed = await reading(() => read({ ...server, caller, baseUrl }, webhook))
  if ('reason' in composed) return fail(server, claim, webhook, composed)
  // A gap is reported even without events.
  if (composed.events.length === 0 && !composed.hasGap) {
    await passBy(db, webhook, claim, composed.end)
    return !composed.isLast
  }
  const deliveryId = webhook.waiting?.id ?? makeId()
  const isOurs = await begin(db, webhook, claim, { id: deliveryId, end: composed.end, events: composed.events.length })
  if (!isOurs) return false
  const outcome = await send(server, webhook, deliveryId, bodyOf(baseUrl, id, deliveryId, composed), signal)
  if (!outcome.is_delivered) return fail(server, claim, webhook, outcome, deliveryId)
  await noteSuccess(db, webhook, claim, deliveryId, composed.end, outcome)
  return !composed.isLast
}

/** Composes the next delivery; gives the reason if its query cannot be evaluated. */
async function read(ctx: Context, webhook: Claimed): Promise<Composed | Outcome> {
  const { change, item, waiting } = webhook
  const upTo = waiting && { change: waiting.last_change, item: waiting.last_item }
  try {
    return await compose(ctx, webhook, { after: { change, item }, upTo })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    return { is_delivered: false, status: null, reason: error.message, milliseconds: 0 }
  }
}

async function fail(
  { db }: Server,
  claim: string,
  webhook: Claimed,
  outcome: Outcome,
  deliveryId = webhook.waiting?.id ?? null,
): Promise<false> {
  await noteFailure(db, webhook, claim, deliveryId, outcome, consequenceOf(webhook, outcome))
  return false
}

function consequenceOf({ failures }: Claimed, outcome: Outcome): Consequence {
  if (isGone(outcome)) return { pause: null, isEnded: true }
  return { pause: RETRY_PAUSES_SECONDS[failures] ?? null, isEnded: false }
}
