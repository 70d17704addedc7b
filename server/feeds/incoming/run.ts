import { z } from 'zod'
import { defineAction } from '../../engine/action.ts'
import { readId } from '../../engine/query.ts'
import { toUrl } from '../../engine/reference.ts'
import type { Context } from '../../engine/resource.ts'
import type { Route } from '../../engine/route.ts'
import { resourceOf } from '../../engine/select.ts'
import { startFeedRun } from './take-in.ts'

/** What starting something answers. */
export const started = z.object({ task_run: z.url() })

/** The id of the feed in a path. */
export const feedIn = (ctx: Context, given = ''): number => Number(readId(resourceOf(ctx, 'incoming_feeds'), given))

export const runFeed: Route = defineAction({
  name: 'run_incoming_feeds',
  doc: 'Run an incoming feed now: fetch what is new, and process it; a run that is open already is answered instead',
  tag: 'incoming_feeds',
  method: 'POST',
  path: '/incoming-feeds/:id/run',
  permission: 'modify incoming-feeds',
  status: 202,
  result: started,
  refusals: [404, 409],
  run: async (ctx, _, { params }) => ({
    task_run: toUrl(ctx.baseUrl, 'task_runs', await startFeedRun(ctx, feedIn(ctx, params.id))),
  }),
})
