import type { Change } from '../../background/followers/change-log.ts'
import type { Position } from '../../background/followers/position.ts'
import type { Collection } from '../../collections.ts'
import { present } from '../../engine/present.ts'
import { planList } from '../../engine/query.ts'
import { toUrl } from '../../engine/reference.ts'
import type { AnyRow, Context, Item, Resource } from '../../engine/resource.ts'
import { resourceOf } from '../../engine/select.ts'
import { sightOf } from '../../identity/access/sight.ts'
import { withSeenLinks } from './linked.ts'

export const KINDS = ['create', 'update', 'delete'] as const
export type Kind = (typeof KINDS)[number]

/** What somebody wants to hear of. */
export interface Subscription {
  readonly collections: readonly Collection[]
  readonly kinds: readonly Kind[]
  /** Of objects that are there, only those that the query finds. */
  readonly query: string | null
  readonly include_object: boolean
}

/** What became of one object, as somebody who may see it is told. */
export interface Event {
  readonly position: Position
  readonly at: string
  readonly user: string | null
  readonly resource: Collection
  readonly kind: Kind
  readonly object: string
  /** The object as it is now, where it was asked for and is there. */
  readonly data?: Item | null
}

/** The objects of changes one by one. */
export interface Mention {
  readonly change: Change
  readonly kind: Kind
  /** Its place in the row, from 1. */
  readonly item: number
  readonly id: string
}

/**
 * What the caller may hear of changes, in their order: of objects that they see now; of deleted ones, that they would see by
 * the keys they hold now. Per collection it takes the same number of statements, however many objects there are.
 */
export async function eventsIn(
  ctx: Context,
  changes: readonly Change[],
  subscription: Subscription,
): Promise<readonly Event[]> {
  const { query, include_object } = subscription
  const mentions = await withSeenLinks(
    ctx,
    changes.flatMap((change) => mentionsIn(change, subscription)),
  )
  const held = new Set(sightOf(ctx).keys)
  const heard = new Map<Mention, Event>()
  for (const [collection, group] of Map.groupBy(mentions, ({ change }) => change.resource)) {
    const resource = resourceOf(ctx, collection)
    if (!ctx.caller.permissions.has(`read ${resource.permission}`)) continue
    const [gone = [], there = []] = [true, false].map((isGone) =>
      group.filter(({ kind }) => (kind === 'delete') === isGone),
    )
    const seen = await find(ctx, resource, there, query, include_object)
    for (const mention of there) {
      const row = seen.get(mention.id)
      if (!row || (resource.collection === 'observables' && !wasSeen(resource, mention, ctx.caller.id, held))) continue
      const told = asHeard(mention, row)
      if (!subscription.kinds.includes(told.kind)) continue
      heard.set(mention, eventOf(ctx, told, include_object ? present(ctx, resource, row) : undefined))
    }
    // What is still there for the caller was taken from others only, or has been made again.
    const kept = await find(ctx, resource, gone, null, false)
    for (const mention of gone) {
      if (kept.has(mention.id) || !wasSeen(resource, mention, ctx.caller.id, held)) continue
      heard.set(mention, eventOf(ctx, mention, include_object ? null : undefined))
    }
  }
  return mentions.flatMap((mention) => heard.get(mention) ?? [])
}

/** An observable that the caller saw before is no new one to them when it comes with one more entity or source. */
function asHeard(mention: Mention, { created_at }: AnyRow): Mention {
  const isOld =
    mention.change.resource === 'observables' && mention.kind === 'create' && String(created_at) < mention.change.at
  return isOld ? { ...mention, kind: 'update' } : mention
}

function mentionsIn(change: Change, { kinds, collections }: Subscription): Mention[] {
  const kind: Kind = change.kind === 'link' || change.kind === 'unlink' ? 'update' : change.kind
  // What is new to some is an update to others.
  const isMeant = kinds.includes(kind) || (kind === 'create' && kinds.includes('update'))
  if (!isMeant || !collections.includes(change.resource)) return []
  return change.ids.map((id, i) => ({ change, kind, item: change.skipped + i + 1, id }))
}

/** Those of the objects that the caller sees, and that the query finds, as the list of their collection answers them. */
async function find(
  ctx: Context,
  resource: Resource,
  mentions: readonly Mention[],
  query: string | null,
  isWhole: boolean,
): Promise<ReadonlyMap<string, AnyRow>> {
  const ids = [...new Set(mentions.map(({ id }) => id))]
  if (ids.length === 0) return new Map()
  const asked = { 'filter[id]': ids, sort: ['id'], ...(query !== null && { query: [query] }) }
  const plan = { ...planList(resource, asked), limit: ids.length, attributes: isWhole ? null : ['id', 'created_at'] }
  const page = await resource.operations.list?.(ctx, resource, plan)
  return new Map(page?.rows.map((row) => [String(row.id), row]))
}

/** Whether a deleted object was seen by this user, or by holders of these keys; what is not known is for no one. */
function wasSeen(
  { visible }: Resource,
  { change, item }: Mention,
  user: number,
  held: ReadonlySet<number | null>,
): boolean {
  if (!visible) return true
  const keys = change.keys?.[item - 1]
  if (!keys) return false
  return 'viewers' in keys ? keys.viewers.includes(user) : keys.every((list) => list.some((key) => held.has(key)))
}

function eventOf(
  { baseUrl, caller }: Context,
  { change, kind, item, id }: Mention,
  data: Item | null | undefined,
): Event {
  const mayKnow = change.user_id && caller.permissions.has('read users')
  return {
    position: { change: change.id, item },
    at: change.at,
    user: mayKnow ? toUrl(baseUrl, 'users', change.user_id) : null,
    resource: change.resource,
    kind,
    object: toUrl(baseUrl, change.resource, id),
    ...(data !== undefined && { data }),
  }
}
