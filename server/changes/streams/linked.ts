import type { Context } from '../../engine/context.ts'
import type { Id } from '../../engine/reference.ts'
import { resourceOf } from '../../engine/select.ts'
import { guardedLinks } from '../history-events/linked.ts'
import { findSeen, keyOf } from '../history-events/seen.ts'
import type { Mention } from './events.ts'

type Target = Parameters<typeof findSeen>[1][number]

/** Leaves out updates that only linked an object to others that the caller does not see. */
export async function withSeenLinks(ctx: Context, mentions: readonly Mention[]): Promise<readonly Mention[]> {
  const targets = new Map(mentions.map((mention) => [mention, guardedTargets(ctx, mention)]))
  const all = [...targets.values()].flatMap((own) => own ?? [])
  if (all.length === 0) return mentions
  const seen = await findSeen(ctx, all)
  return mentions.filter((mention) => targets.get(mention)?.some(({ to, id }) => seen.has(keyOf(to, id))) ?? true)
}

/** The objects that a change linked or unlinked, if it did nothing else and not all users see them. */
function guardedTargets(ctx: Context, { change, id }: Mention): Target[] | undefined {
  const links = Object.entries(change.links?.[id] ?? {})
  if (links.length === 0) return undefined
  const guarded = new Map(guardedLinks(ctx, resourceOf(ctx, change.resource)).map(({ name, to }) => [name, to]))
  if (links.some(([name]) => !guarded.has(name))) return undefined
  return links.flatMap(([name, pair]) => {
    const to = guarded.get(name)
    return to ? pair.flat().flatMap((link) => (link === null ? [] : [{ to, id: targetOf(link) }])) : []
  })
}

/** A link with an attribute is a pair of id and attribute. */
const targetOf = (link: unknown): Id => (Array.isArray(link) ? link[0] : link) as Id
