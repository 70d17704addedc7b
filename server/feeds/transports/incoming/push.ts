import { z } from 'zod'
import { defineIncoming } from '../transport.ts'

export const push = defineIncoming({
  type: 'eiq.incoming-transports.push',
  label: 'Push',
  doc: 'Accepts content that others send to /incoming-feeds/{id}/push or to the TAXII collection of the feed.',
  configuration: z.object({}),
  strategies: ['APPEND', 'REPLACE', 'DIFF'],
  collect: async () => fetchNothing,
})

/** What is pushed arrives by itself. */
async function* fetchNothing() {}
