import { z } from 'zod'
import { DEMO_PERMISSIONS, MAX_DEMO_ENTITIES } from '../domain/demo-data.ts'
import { defineAction } from '../engine/action.ts'
import type { Route } from '../engine/route.ts'
import { startSystemRun } from '../intelligence/by-query/start-run.ts'

/** Lets new users explore a full installation before they have data of their own. */
export const loadDemoData: Route = {
  ...defineAction({
    name: 'load_demo_data',
    doc: 'Load invented intelligence to look at; all of it has the tag corvus-demo, by which it can be deleted',
    tag: 'demo-data',
    method: 'POST',
    path: '/demo-data',
    permission: 'modify entities',
    body: z.object({
      count: z
        .int()
        .min(1)
        .max(MAX_DEMO_ENTITIES)
        .default(500)
        .describe('How many entities, and as many relationships.'),
      seed: z.int().min(0).max(4_294_967_295).default(1).describe('The same seed gives the same data.'),
    }),
    example: { count: 500 },
    result: z.object({ task_run: z.url() }),
    status: 202,
    refusals: [409],
    run: async (ctx, parameters) => ({ task_run: await startSystemRun(ctx, 'Demo data', 'demo-data', parameters) }),
  }),
  guards: () => [...DEMO_PERMISSIONS],
}
