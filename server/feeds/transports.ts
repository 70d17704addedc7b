import { z } from 'zod'
import { VARIANTS, type Variants } from '../engine/variants.ts'
import { httpDownload } from './transports/incoming/http-download.ts'
import { mispFeed } from './transports/incoming/misp-feed.ts'
import { mountPointDownload } from './transports/incoming/mount-point-download.ts'
import { push } from './transports/incoming/push.ts'
import { rss } from './transports/incoming/rss.ts'
import { taxii2 } from './transports/incoming/taxii2.ts'
import { httpDownload as download } from './transports/outgoing/http-download.ts'
import { httpPush } from './transports/outgoing/http-push.ts'
import { mountPointUpload } from './transports/outgoing/mount-point-upload.ts'
import { sendEmail } from './transports/outgoing/send-email.ts'
import { taxii2 as taxii2Collection } from './transports/outgoing/taxii2.ts'
import type { Transport } from './transports/transport.ts'

/** The ways in, by the names that clients know. */
export const INCOMING_TRANSPORTS = {
  [httpDownload.type]: httpDownload,
  [taxii2.type]: taxii2,
  [mispFeed.type]: mispFeed,
  [rss.type]: rss,
  [mountPointDownload.type]: mountPointDownload,
  [push.type]: push,
}

/** The ways out, by the names that clients know. */
export const OUTGOING_TRANSPORTS = {
  [download.type]: download,
  [taxii2Collection.type]: taxii2Collection,
  [httpPush.type]: httpPush,
  [mountPointUpload.type]: mountPointUpload,
  [sendEmail.type]: sendEmail,
}

export type IncomingTransport = keyof typeof INCOMING_TRANSPORTS
export type OutgoingTransport = keyof typeof OUTGOING_TRANSPORTS

/** The name of a transport: its last part is enough, and underscores stand for dashes. It decides what the configuration contains. */
export const transportType = <T extends string>(transports: Readonly<Record<T, Transport>>) => {
  const names = Object.keys(transports) as T[]
  const variants: Variants = {
    field: 'transport_configuration',
    options: names.map((name) => {
      const { label, doc, configuration } = transports[name]
      const { $schema: _, ...schema } = z.toJSONSchema(configuration, { io: 'input', unrepresentable: 'any' })
      return { value: name, title: label, description: doc, schema }
    }),
  }
  return z
    .string()
    .transform((text, check): T => {
      const own = text.trim().toLowerCase().replaceAll('_', '-')
      const found = names.find((name) => name === own || name.split('.').at(-1) === own)
      if (found !== undefined) return found
      check.addIssue({ code: 'custom', message: `must be one of ${names.join(', ')}` })
      return z.NEVER
    })
    .describe(names.map((name) => `${name}: ${transports[name].doc}`).join(' '))
    .register(VARIANTS, variants)
}
