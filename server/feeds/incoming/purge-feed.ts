import { stopOwnRuns } from '../../background/owned-tasks.ts'
import { defineAction } from '../../engine/action.ts'
import { missing } from '../../engine/errors.ts'
import type { Route } from '../../engine/route.ts'
import { startSystemRun } from '../../intelligence/by-query/start-run.ts'
import { FEEDS } from '../feed-tasks.ts'
import { parseFeedId, taskRunResult } from './run-route.ts'
import { PURGE_PERMISSIONS, requireSourceAllowed } from './source-access.ts'

export const purgeFeed: Route = defineAction({
  name: 'purge_incoming_feeds',
  doc: 'Delete everything that an incoming feed has imported: entities, relationships, observables and fetched content. The feed then starts from the beginning',
  tag: 'incoming_feeds',
  method: 'POST',
  path: '/incoming-feeds/:id/purge',
  permission: 'modify incoming-feeds',
  status: 202,
  result: taskRunResult,
  refusals: [404, 409],
  run: async (ctx, _, { params }) => {
    const feed = parseFeedId(ctx, params.id)
    await requireSourceAllowed(ctx, feed)
    const lacking = PURGE_PERMISSIONS.filter((permission) => !ctx.caller.permissions.has(permission))
    if (lacking.length > 0) throw missing(lacking)
    await stopOwnRuns(ctx, FEEDS.incoming_feeds, [feed])
    return { task_run: await startSystemRun(ctx, 'Purge incoming feeds', 'purge-incoming-feed', { feed }) }
  },
})
