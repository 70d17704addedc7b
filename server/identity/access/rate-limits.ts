import type { Context } from '../../engine/context.ts'
import { ApiError } from '../../engine/errors.ts'
import { networkOf } from '../../engine/network-of.ts'
import type { Incoming } from '../../engine/route.ts'

/** How often one address may do something within a period. */
export interface RateLimit {
  readonly most: number
  readonly seconds: number
}

/** At most this many addresses are tracked; the least recently active one is dropped first. */
const MAX_TRACKED_ADDRESSES = 10_000

interface Window {
  readonly endsAt: number
  readonly count: number
}

/** The counts of one server instance. */
const counts = new WeakMap<Context['vault'], Map<RateLimit, Map<string, Window>>>()

/**
 * Password attempts per address. Checking a password is slow and its queue is short, so one address must not fill it.
 */
export const PASSWORD_LIMIT: RateLimit = { most: 120, seconds: 60 }

/** Throws a 429 with Retry-After if an address exceeds the limit. */
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
    throw new ApiError(429, `Too many requests from your address. Try again in ${retryAfter} seconds.`, { retryAfter })
  }
  // Deleting first keeps the map in order of last use.
  windows.delete(key)
  windows.set(key, { ...open, count: open.count + 1 })
  if (windows.size > MAX_TRACKED_ADDRESSES) windows.delete(windows.keys().next().value ?? '')
}

function windowsOf({ vault }: Pick<Context, 'vault'>, limit: RateLimit): Map<string, Window> {
  const all = counts.get(vault) ?? new Map<RateLimit, Map<string, Window>>()
  counts.set(vault, all)
  const own = all.get(limit) ?? new Map<string, Window>()
  all.set(limit, own)
  return own
}
