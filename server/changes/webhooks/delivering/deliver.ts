import type { Follower, Surroundings } from '../../../background/followers/follower.ts'
import { ApiError } from '../../../engine/errors.ts'
import { makeId } from '../../../engine/ids.ts'
import type { Context } from '../../../engine/resource.ts'
import { asUser } from '../../../identity/access/as-user.ts'
import type { Server } from '../../../server.ts'
import { bodyOf, type Composed, compose } from '../compose.ts'
import { WEBHOOKS } from '../operations.ts'
import { isGone, type Outcome, send } from '../send.ts'
import { begin, type Claimed, type Consequence, hold, isDue, noteFailure, noteSuccess, passBy } from './claims.ts'

/** Seconds between attempts: about a day in all. After the last one nothing is tried until somebody looks after it. */
export const PAUSES = [10, 30, 60, 300, 900, 1800, 3600, 7200, 14_400, 28_800, 28_800]

/** Receivers that a process waits for at the same time: a slow one delays only itself. */
const RECEIVERS_AT_ONCE = 50

/**
 * Follows the log for each webhook. What it does is outside the database: the position moves on once the receiver has said yes,
 * so a receiver may get a delivery twice, but never misses one.
 */
export const webhooks: Follower = {
  name: WEBHOOKS,
  concurrency: RECEIVERS_AT_ONCE,
  due: isDue,
  advance: deliverNext,
}

/** Delivers what comes next for a webhook; gives whether there is more to deliver now. */
async function deliverNext({ server, claim, signal, reading }: Surroundings, id: number): Promise<boolean> {
  const { db } = server
  const webhook = await hold(db, id, claim)
  const caller = webhook && (await asUser(server, webhook.created_by))
  if (!webhook || !caller) return false
  const baseUrl = server.publicUrl ?? webhook.base_url
  const told = await reading(() => read({ ...server, caller, baseUrl }, webhook))
  if ('reason' in told) return fail(server, claim, webhook, told)
  // That something is missing is told even when nothing else is.
  if (told.events.length === 0 && !told.hasGap) {
    await passBy(db, webhook, claim, told.end)
    return !told.isLast
  }
  const deliveryId = webhook.waiting?.id ?? makeId()
  const isOurs = await begin(db, webhook, claim, { id: deliveryId, end: told.end, events: told.events.length })
  if (!isOurs) return false
  const outcome = await send(server, webhook, deliveryId, bodyOf(baseUrl, id, deliveryId, told), signal)
  if (!outcome.is_delivered) return fail(server, claim, webhook, outcome, deliveryId)
  await noteSuccess(db, webhook, claim, deliveryId, told.end, outcome)
  return !told.isLast
}

/** What is to be told; where its query cannot be answered, why not. */
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
  return { pause: PAUSES[failures] ?? null, isEnded: false }
}
