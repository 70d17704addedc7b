import { z } from 'zod'
import { string } from '../../../engine/field.ts'
import { connection, url } from '../connection.ts'
import { defineIncoming } from '../transport.ts'

const configuration = z.object({
  url: url.meta({ title: 'Address', description: 'The folder of the feed, which contains manifest.json.' }),
  tags: z
    .array(string(1, 500))
    .max(200)
    .default([])
    .meta({ title: 'Tags', description: 'Fetch only events with one of these tags; empty fetches all events.' }),
  published_only: z.boolean().default(false).meta({ title: 'Published events only' }),
  ...connection,
})

export type MispFeedConfiguration = z.output<typeof configuration>

export const mispFeed = defineIncoming({
  type: 'eiq.incoming-transports.misp-feed',
  label: 'MISP feed',
  doc: 'Reads the events that the manifest of a MISP feed lists.',
  configuration,
  // An event says nothing about other events.
  strategies: ['APPEND'],
  collect: async () => (await import('../../collecting/misp-feed.ts')).readMispFeed,
})
