import { z } from 'zod'
import { defineAction } from '../../engine/action.ts'
import type { Context } from '../../engine/context.ts'
import { readId } from '../../engine/query.ts'
import { toUrl } from '../../engine/reference.ts'
import type { Route } from '../../engine/route.ts'
import { resourceOf } from '../../engine/select.ts'
import { startFeedRun } from './start-feed-run.ts'

/** The response of an endpoint that starts a run. */
export const taskRunResult = z.object({ task_run: z.url() })

/** Parses the id of a feed in a path. */
export const parseFeedId = (ctx: Context, given = ''): number =>
  Number(readId(resourceOf(ctx, 'incoming_feeds'), given))

export const runFeed: Route = defineAction({
  name: 'run_incoming_feeds',
  doc: 'Run an incoming feed now: fetch what is new and process it. Returns the open run if there is one',
  tag: 'incoming_feeds',
  method: 'POST',
  path: '/incoming-feeds/:id/run',
  permission: 'modify incoming-feeds',
  status: 202,
  result: taskRunResult,
  refusals: [404, 409],
  run: async (ctx, _, { params }) => ({
    task_run: toUrl(ctx.baseUrl, 'task_runs', await startFeedRun(ctx, parseFeedId(ctx, params.id))),
  }),
})
