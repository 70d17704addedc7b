import { z } from 'zod'
import { defineIncoming } from '../transport.ts'

export const push = defineIncoming({
  type: 'eiq.incoming-transports.push',
  label: 'Push',
  doc: 'Accepts content that clients send to /incoming-feeds/{id}/push or to the TAXII collection of the feed.',
  configuration: z.object({}),
  strategies: ['APPEND', 'REPLACE', 'DIFF'],
  collect: async () => fetchNothing,
})

/** Pushed content arrives without a run. */
async function* fetchNothing() {}
