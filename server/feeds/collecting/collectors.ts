import { INCOMING_TRANSPORTS, type IncomingTransport } from '../transports.ts'
import type { Collector } from './collector.ts'

/** The collector of a transport, loaded with its first use. The schema of the transport has read its configuration. */
export const collectorOf = (transport: IncomingTransport): Promise<Collector> =>
  INCOMING_TRANSPORTS[transport].collect() as Promise<Collector>
