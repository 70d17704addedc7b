import { sql } from 'kysely'
import { keepOwnTasks, removeOwnTasks } from '../../background/owned-tasks.ts'
import type { Context } from '../../engine/context.ts'
import { notFound } from '../../engine/errors.ts'
import { fetchRows } from '../../engine/fetch.ts'
import { mergeDocuments } from '../../engine/merge.ts'
import type { Id } from '../../engine/reference.ts'
import { standard } from '../../engine/standard.ts'
import { replace } from '../../engine/write.ts'
import { sightOf } from '../../identity/access/sight.ts'
import { sweepSoon } from '../../intelligence/stored-blobs/sweep-soon.ts'
import { FEEDS } from '../feed-tasks.ts'
import { compose, isCollection, type State, statesOf } from './compose.ts'
import { beginEpoch } from './epoch.ts'
import { findOutgoingFeeds, type OutgoingFeed } from './feed.ts'
import { resetKeys, widenKeys } from './stored-keys.ts'

/** The operations of outgoing feeds. A user who writes a feed is responsible for what it sends, and becomes its owner. */
export const operations: typeof standard = {
  ...standard,
  create: async (ctx, resource, sent) => {
    const [item = sent] = await compose(ctx, [sent], () => undefined)
    const { id } = await standard.create(ctx, resource, item)
    await updateOwnership(ctx, [id], [])
    return await standard.get(ctx, resource, id)
  },
  upsert: async (ctx, resource, sent) => {
    const names = sent.map(({ name }) => name)
    const before = await statesOf(ctx, 'name', names)
    const byName = new Map<unknown, State>(before.map((state) => [state.name, state]))
    const items = await compose(ctx, sent, ({ name }) => byName.get(name))
    const { rows, created } = await standard.upsert(ctx, resource, items)
    const ids = rows.map(({ id }) => id)
    await updateOwnership(ctx, ids, before)
    return { rows: await fetchRows(ctx, resource, ids), created }
  },
  update: async (ctx, resource, id, patch) => {
    const before = await statesOf(ctx, 'id', [id])
    const [state] = before
    if (!state) throw notFound(id)
    const merged = mergeDocuments(resource, { ...state }, patch)
    const [item = merged] = await compose(ctx, [merged], () => state)
    await replace(ctx, resource, id, item)
    await updateOwnership(ctx, [id], before)
    return await standard.get(ctx, resource, id)
  },
  remove: async (ctx, resource, ids) => {
    // A feed may have millions of dependent rows.
    await sql`set local statement_timeout = '10min'`.execute(ctx.db)
    await removeOwnTasks(ctx, FEEDS.outgoing_feeds, ids)
    await standard.remove(ctx, resource, ids)
    await sweepSoon(ctx)
  },
  link: async (ctx, resource, id, field, links) => {
    const before = await statesOf(ctx, 'id', [id])
    await standard.link(ctx, resource, id, field, links)
    await updateOwnership(ctx, [id], before)
  },
  unlink: async (ctx, resource, id, field, target) => {
    const before = await statesOf(ctx, 'id', [id])
    await standard.unlink(ctx, resource, id, field, target)
    await updateOwnership(ctx, [id], before)
  },
}

/** Updates what only the platform writes: the owner, the keys, the epoch and the task. */
async function updateOwnership(ctx: Context, ids: readonly Id[], before: readonly State[]): Promise<void> {
  await sql`
    update outgoing_feeds set owner = ${ctx.caller.id}, base_url = ${ctx.baseUrl}
    where id = any(${ids}::integer[])`.execute(ctx.db)
  const feeds = await findOutgoingFeeds(ctx.db, ids)
  const states = new Map(before.map((state) => [state.id, state]))
  const held = new Set(sightOf(ctx).keys)
  const continues = (feed: OutgoingFeed): boolean => {
    const state = states.get(feed.id)
    return state !== undefined && !isOtherOutput(state, feed) && !isHiddenFrom(ctx, state, held)
  }
  const restarted = feeds.filter((feed) => !continues(feed))
  await beginEpoch(
    ctx,
    restarted.flatMap(({ id }) => (states.has(id) ? [id] : [])),
  )
  await resetKeys(ctx, restarted)
  await widenKeys(ctx, feeds.filter(continues))
  await keepOwnTasks(ctx.db, FEEDS.outgoing_feeds, ids)
}

type Output = Pick<OutgoingFeed, 'content_type' | 'update_strategy' | 'transport_type' | 'consolidation'>

/** Whether the output changes so much that consumers cannot continue from what was sent before. */
const isOtherOutput = (before: Output, after: Output): boolean =>
  before.content_type !== after.content_type ||
  before.update_strategy !== after.update_strategy ||
  // Where removals are not reported, consumers would keep a unified entity next to its contributors.
  before.consolidation !== after.consolidation ||
  isCollection(before) !== isCollection(after)

/** Whether content may have been sent that the new owner may not see, which ownership must not give them. */
const isHiddenFrom = ({ caller }: Context, { owner, keys }: State, held: ReadonlySet<number>): boolean =>
  owner !== caller.id && keys.some((key) => !held.has(key))
