import { ApiError } from '../../engine/errors.ts'
import { networkOf } from '../../engine/network-of.ts'
import type { Context } from '../../engine/resource.ts'
import type { Incoming } from '../../engine/route.ts'

/** How often one address may do something within a time. */
export interface RateLimit {
  readonly most: number
  readonly seconds: number
}

/** At most this many addresses are remembered at a time; the one that was quiet for the longest time is forgotten first. */
const MOST_ADDRESSES = 10_000

interface Window {
  readonly endsAt: number
  readonly count: number
}

/** Counts of one server, which end with it. */
const counts = new WeakMap<Context['vault'], Map<RateLimit, Map<string, Window>>>()

/** Passwords that one address may try. Checking one takes long, and the queue for it is short: others must get their turn. */
export const PASSWORD_LIMIT: RateLimit = { most: 120, seconds: 60 }

/** A 429 when an address does something more often than the limit allows; it says when to try again. */
export function refuseFlood(
  ctx: Pick<Context, 'vault'>,
  limit: RateLimit,
  { address }: Pick<Incoming, 'address'>,
): void {
  const windows = windowsOf(ctx, limit)
  const key = networkOf(address)
  const now = Date.now()
  const known = windows.get(key)
  const open = known && known.endsAt > now ? known : { endsAt: now + limit.seconds * 1000, count: 0 }
  if (open.count >= limit.most) {
    const retryAfter = Math.ceil((open.endsAt - now) / 1000)
    throw new ApiError(429, `Too many requests from your address; try again in ${retryAfter} seconds.`, { retryAfter })
  }
  // Deleted first, so that the map stays in the order of last use.
  windows.delete(key)
  windows.set(key, { ...open, count: open.count + 1 })
  if (windows.size > MOST_ADDRESSES) windows.delete(windows.keys().next().value ?? '')
}

function windowsOf({ vault }: Pick<Context, 'vault'>, limit: RateLimit): Map<string, Window> {
  const all = counts.get(vault) ?? new Map<RateLimit, Map<string, Window>>()
  counts.set(vault, all)
  const own = all.get(limit) ?? new Map<string, Window>()
  all.set(limit, own)
  return own
}
