import type { Change } from '../../background/followers/change-log.ts'
import type { Position } from '../../background/followers/position.ts'
import type { Collection } from '../../collections.ts'
import type { AnyRow, Context, Item } from '../../engine/context.ts'
import type { Resource } from '../../engine/definition.ts'
import { present } from '../../engine/present.ts'
import { planList } from '../../engine/query.ts'
import { toUrl } from '../../engine/reference.ts'
import { resourceOf } from '../../engine/select.ts'
import { sightOf } from '../../identity/access/sight.ts'
import { withSeenLinks } from './linked.ts'

export const KINDS = ['create', 'update', 'delete'] as const
export type Kind = (typeof KINDS)[number]

/** Which changes a reader wants. */
export interface Subscription {
  readonly collections: readonly Collection[]
  readonly kinds: readonly Kind[]
  /** Only existing objects that the query finds; deletions are not filtered. */
  readonly query: string | null
  readonly include_object: boolean
}

/** A change of one object, as shown to a reader who may see it. */
export interface Event {
  readonly position: Position
  readonly at: string
  readonly user: string | null
  readonly resource: Collection
  readonly kind: Kind
  readonly object: string
  /** The current object, if requested and not deleted. */
  readonly data?: Item | null
}

/** One object of a change. */
export interface Mention {
  readonly change: Change
  readonly kind: Kind
  /** Its position in the row, from 1. */
  readonly item: number
  readonly id: string
}

/**
 * The events of changes that the caller may see, in order: those of objects that they see now, and of deleted objects that they would
 * see with the keys they hold now. The number of statements depends only on the number of collections.
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
  const visible = new Map<Mention, Event>()
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
      const shown = asSeenBy(mention, row)
      if (!subscription.kinds.includes(shown.kind)) continue
      visible.set(mention, eventOf(ctx, shown, include_object ? present(ctx, resource, row) : undefined))
    }
    // Objects that the caller still sees were removed only for others, or were created again.
    const kept = await find(ctx, resource, gone, null, false)
    for (const mention of gone) {
      if (kept.has(mention.id) || !wasSeen(resource, mention, ctx.caller.id, held)) continue
      visible.set(mention, eventOf(ctx, mention, include_object ? null : undefined))
    }
  }
  return mentions.flatMap((mention) => visible.get(mention) ?? [])
}

/** An observable that the caller saw before is not new when another entity or source adds it. */
function asSeenBy(mention: Mention, { created_at }: AnyRow): Mention {
  const isOld =
    mention.change.resource === 'observables' && mention.kind === 'create' && String(created_at) < mention.change.at
  return isOld ? { ...mention, kind: 'update' } : mention
}

function mentionsIn(change: Change, { kinds, collections }: Subscription): Mention[] {
  const kind: Kind = change.kind === 'link' || change.kind === 'unlink' ? 'update' : change.kind
  // A creation for some readers is an update for others.
  const isWanted = kinds.includes(kind) || (kind === 'create' && kinds.includes('update'))
  if (!isWanted || !collections.includes(change.resource)) return []
  return change.ids.map((id, i) => ({ change, kind, item: change.skipped + i + 1, id }))
}

/** The objects that the caller sees and that the query finds, as in the list of their collection. */
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

/** Whether a deleted object was visible to this user or to holders of these keys; without a record, to no one. */
function wasSeen(
  { visibility }: Resource,
  { change, item }: Mention,
  user: number,
  held: ReadonlySet<number | null>,
): boolean {
  if (!visibility) return true
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
