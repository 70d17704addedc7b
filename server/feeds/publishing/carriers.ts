import { OUTGOING_TRANSPORTS, type OutgoingTransport } from '../transports.ts'
import type { Carrier } from './carrier.ts'

/** What brings the blocks of a transport to their consumers; undefined where consumers fetch them. */
export async function carrierOf(transport: OutgoingTransport): Promise<Carrier | undefined> {
  // The schema of the transport has read the configuration that its carrier gets.
  return (await OUTGOING_TRANSPORTS[transport].carry?.()) as Carrier | undefined
}
