import type { OutgoingTransport } from '../transports.ts'
import type { Carrier } from './carrier.ts'

type Load = () => Promise<Carrier<never>>

/** Most installations bring blocks nowhere: what it takes is loaded when one does. */
const CARRIERS: Readonly<Record<OutgoingTransport, Load | undefined>> = {
  'eiq.outgoing-transports.http-download': undefined,
  'eiq.outgoing-transports.taxii2': undefined,
  'eiq.outgoing-transports.http-push': async () => (await import('./http-push.ts')).pushByHttp,
  'eiq.outgoing-transports.mount-point-upload': async () => (await import('./mount-point-upload.ts')).writeIntoFolder,
  'eiq.outgoing-transports.send-email': async () => (await import('./send-email.ts')).sendByMail,
}

/** What brings the blocks of a transport to where they go; undefined where consumers come for them. */
export async function carrierOf(transport: OutgoingTransport): Promise<Carrier | undefined> {
  // Each gets the configuration of its own transport, which was read by that transport's schema.
  return (await CARRIERS[transport]?.()) as Carrier | undefined
}
