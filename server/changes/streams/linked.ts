import type { Id } from '../../engine/reference.ts'
import type { Context } from '../../engine/resource.ts'
import { resourceOf } from '../../engine/select.ts'
import { guardedLinks } from '../history-events/linked.ts'
import { findSeen, keyOf } from '../history-events/seen.ts'
import type { Mention } from './events.ts'

type Target = Parameters<typeof findSeen>[1][number]

/** The mentions without updates that did nothing but link an object with others that the caller does not see. */
export async function withSeenLinks(ctx: Context, mentions: readonly Mention[]): Promise<readonly Mention[]> {
  const targets = new Map(mentions.map((mention) => [mention, guardedTargets(ctx, mention)]))
  const all = [...targets.values()].flatMap((own) => own ?? [])
  if (all.length === 0) return mentions
  const seen = await findSeen(ctx, all)
  return mentions.filter((mention) => targets.get(mention)?.some(({ to, id }) => seen.has(keyOf(to, id))) ?? true)
}

/** What an object was linked with, where that is all that was done and not everyone sees it. */
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

/** A link with an attribute is a list of both. */
const targetOf = (link: unknown): Id => (Array.isArray(link) ? link[0] : link) as Id
