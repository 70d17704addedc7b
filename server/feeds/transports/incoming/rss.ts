import { z } from 'zod'
import { connection, url } from '../connection.ts'
import { defineIncoming } from '../transport.ts'

const configuration = z.object({
  url,
  fetch_articles: z
    .boolean()
    .default(false)
    .meta({ title: 'Fetch linked pages', description: 'Whether the pages that articles link to are fetched.' }),
  ...connection,
})

export type RssConfiguration = z.output<typeof configuration>

export const rss = defineIncoming({
  type: 'eiq.incoming-transports.rss',
  label: 'RSS or Atom',
  doc: 'Reads the articles of an RSS or Atom feed.',
  configuration,
  // An article says nothing about other articles.
  strategies: ['APPEND'],
  collect: async () => (await import('../../collecting/rss/read-feed.ts')).readArticles,
})
