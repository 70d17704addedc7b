import { INCOMING_TRANSPORTS, type IncomingTransport } from '../transports/transports.ts'
import type { Collector } from './collector.ts'

/** Loads the collector of a transport on first use. The schema of the transport has parsed the configuration that it receives. */
export const collectorOf = (transport: IncomingTransport): Promise<Collector> =>
  INCOMING_TRANSPORTS[transport].collect() as Promise<Collector>
