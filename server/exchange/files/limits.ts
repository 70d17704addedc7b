import { z } from 'zod'
import { defineAction } from '../../engine/action.ts'
import type { Route } from '../../engine/route.ts'

/** The limits of uploads, for clients that check before they send. */
export const fileLimits: Route = defineAction({
  name: 'limits_of_files',
  doc: 'Read the maximum size of a file',
  tag: 'files',
  method: 'GET',
  path: '/files/limits',
  permission: 'read files',
  result: z.object({ largest_file: z.int().nullable().describe('In bytes; null for no limit.') }),
  run: async ({ largestFile = null }) => ({ largest_file: largestFile }),
})
