import { ApiError } from '../../../engine/errors.ts'
import { makeId } from '../../../engine/ids.ts'
import type { Places } from '../../../engine/places.ts'
import type { Context } from '../../../engine/resource.ts'
import { asUser } from '../../../identity/access/as-user.ts'
import type { Server } from '../../../server.ts'
import { bodyOf, type Composed, compose } from '../compose.ts'
import { isGone, type Outcome, send } from '../send.ts'
import { begin, type Claimed, type Consequence, hold, noteFailure, noteSuccess, passBy } from './claims.ts'

/** Seconds between attempts: about a day in all. After the last one nothing is tried until somebody looks after it. */
export const PAUSES = [10, 30, 60, 300, 900, 1800, 3600, 7200, 14_400, 28_800, 28_800]

/** How deliveries are made by this process. */
export interface Means {
  readonly server: Server
  /** The name under which this process claims webhooks. */
  readonly claim: string
  readonly signal: AbortSignal
  readonly reading: Places
}

/** Tells a webhook what comes next; gives whether there is more to tell now. */
export async function deliverNext(means: Means, id: number): Promise<boolean> {
  const { server, claim, signal, reading } = means
  const { db } = server
  const webhook = await hold(db, id, claim)
  const caller = webhook && (await asUser(server, webhook.created_by))
  if (!webhook || !caller) return false
  const baseUrl = server.publicUrl ?? webhook.base_url
  const told = await reading(() => read({ ...server, caller, baseUrl }, webhook))
  if ('reason' in told) return fail(means, webhook, told)
  // That something is missing is told even when nothing else is.
  if (told.events.length === 0 && !told.hasGap) {
    await passBy(db, webhook, claim, told.end)
    return !told.isLast
  }
  const deliveryId = webhook.waiting?.id ?? makeId()
  const isOurs = await begin(db, webhook, claim, { id: deliveryId, end: told.end, events: told.events.length })
  if (!isOurs) return false
  const outcome = await send(server, webhook, deliveryId, bodyOf(baseUrl, id, deliveryId, told), signal)
  if (!outcome.is_delivered) return fail(means, webhook, outcome, deliveryId)
  await noteSuccess(db, webhook, claim, deliveryId, told.end, outcome)
  return !told.isLast
}

/** What is to be told; where its query cannot be answered, why not. */
async function read(ctx: Context, webhook: Claimed): Promise<Composed | Outcome> {
  const { told_change, told_item, waiting } = webhook
  const upTo = waiting && { change: waiting.last_change, item: waiting.last_item }
  try {
    return await compose(ctx, webhook, { after: { change: told_change, item: told_item }, upTo })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    return { is_delivered: false, status: null, reason: error.message, milliseconds: 0 }
  }
}

async function fail(
  { server, claim }: Means,
  webhook: Claimed,
  outcome: Outcome,
  deliveryId = webhook.waiting?.id ?? null,
): Promise<false> {
  await noteFailure(server.db, webhook, claim, deliveryId, outcome, consequenceOf(webhook, outcome))
  return false
}

function consequenceOf({ failures }: Claimed, outcome: Outcome): Consequence {
  if (isGone(outcome)) return { pause: null, isEnded: true }
  return { pause: PAUSES[failures] ?? null, isEnded: false }
}
