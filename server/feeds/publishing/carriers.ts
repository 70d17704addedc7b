import { OUTGOING_TRANSPORTS, type OutgoingTransport } from '../transports/transports.ts'
import type { Carrier } from './carrier.ts'

/** Loads what delivers the blocks of a transport; undefined if consumers fetch them. */
export async function carrierOf(transport: OutgoingTransport): Promise<Carrier | undefined> {
  // The schema of the transport has parsed the configuration that its carrier receives.
  return (await OUTGOING_TRANSPORTS[transport].carry?.()) as Carrier | undefined
}
