import { stopOwnRuns } from '../../background/owned-tasks.ts'
import { defineAction } from '../../engine/action.ts'
import { missing } from '../../engine/errors.ts'
import type { Route } from '../../engine/route.ts'
import { startSystemRun } from '../../intelligence/by-query/start-run.ts'
import { FEEDS } from '../feed-tasks.ts'
import { feedIn, started } from './run.ts'
import { PURGING, requireSeen } from './seen.ts'

export const purgeFeed: Route = defineAction({
  name: 'purge_incoming_feeds',
  doc: 'Delete all that an incoming feed has brought: entities, relationships, observables and what was fetched; it begins anew',
  tag: 'incoming_feeds',
  method: 'POST',
  path: '/incoming-feeds/:id/purge',
  permission: 'modify incoming-feeds',
  status: 202,
  result: started,
  refusals: [404, 409],
  run: async (ctx, _, { params }) => {
    const feed = feedIn(ctx, params.id)
    await requireSeen(ctx, feed)
    const lacking = PURGING.filter((permission) => !ctx.caller.permissions.has(permission))
    if (lacking.length > 0) throw missing(lacking)
    await stopOwnRuns(ctx, FEEDS.incoming_feeds, [feed])
    return { task_run: await startSystemRun(ctx, 'Purge incoming feeds', 'purge-incoming-feed', { feed }) }
  },
})
