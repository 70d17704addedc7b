import type { ConfigurationOf, IncomingTransport } from '../transports.ts'
import type { Collector } from './collector.ts'

type Collectors = { readonly [T in IncomingTransport]: () => Promise<Collector<ConfigurationOf<T>>> }

const COLLECTORS: Collectors = {
  'eiq.incoming-transports.http-download': async () => (await import('./http-download.ts')).downloadDocument,
  'eiq.incoming-transports.taxii2': async () => (await import('./taxii/poll.ts')).pollCollection,
  'eiq.incoming-transports.misp-feed': async () => (await import('./misp-feed.ts')).readMispFeed,
  'eiq.incoming-transports.rss': async () => (await import('./rss/read-feed.ts')).readArticles,
  'eiq.incoming-transports.mount-point-download': async () => (await import('./mount-point.ts')).readFolder,
  'eiq.incoming-transports.push': async () => awaitPush,
}

/** The collector of a transport, loaded with its first use. Its configuration has been read by the schema of that transport. */
export const collectorOf = (transport: IncomingTransport): Promise<Collector> =>
  COLLECTORS[transport]() as Promise<Collector>

/** What is pushed comes by itself. */
async function* awaitPush() {}
