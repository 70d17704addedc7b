import { z } from 'zod'
import { defineAction } from '../../engine/action.ts'
import type { Route } from '../../engine/route.ts'

/** What is too much for an upload, for clients that would rather know before they send it. */
export const fileLimits: Route = defineAction({
  name: 'limits_of_files',
  doc: 'How large a file may be',
  tag: 'files',
  method: 'GET',
  path: '/files/limits',
  permission: 'read files',
  result: z.object({ largest_file: z.int().nullable().describe('In bytes; null for no limit.') }),
  run: async ({ largestFile = null }) => ({ largest_file: largestFile }),
})
