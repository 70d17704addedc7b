import { z } from 'zod'
import { VARIANTS, type Variants } from '../../engine/variants.ts'
import { httpDownload } from './incoming/http-download.ts'
import { mispFeed } from './incoming/misp-feed.ts'
import { mountPointDownload } from './incoming/mount-point-download.ts'
import { push } from './incoming/push.ts'
import { rss } from './incoming/rss.ts'
import { taxii2 } from './incoming/taxii2.ts'
import { httpDownload as outgoingHttpDownload } from './outgoing/http-download.ts'
import { httpPush } from './outgoing/http-push.ts'
import { mountPointUpload } from './outgoing/mount-point-upload.ts'
import { sendEmail } from './outgoing/send-email.ts'
import { taxii2 as taxii2Collection } from './outgoing/taxii2.ts'
import type { Transport } from './transport.ts'

/** The incoming transports by the type that clients use. */
export const INCOMING_TRANSPORTS = {
  [httpDownload.type]: httpDownload,
  [taxii2.type]: taxii2,
  [mispFeed.type]: mispFeed,
  [rss.type]: rss,
  [mountPointDownload.type]: mountPointDownload,
  [push.type]: push,
}

/** The outgoing transports by the type that clients use. */
export const OUTGOING_TRANSPORTS = {
  [outgoingHttpDownload.type]: outgoingHttpDownload,
  [taxii2Collection.type]: taxii2Collection,
  [httpPush.type]: httpPush,
  [mountPointUpload.type]: mountPointUpload,
  [sendEmail.type]: sendEmail,
}

export type IncomingTransport = keyof typeof INCOMING_TRANSPORTS
export type OutgoingTransport = keyof typeof OUTGOING_TRANSPORTS

/** The type of a transport. Its last part is enough, and underscores stand for dashes. It selects the schema of the configuration. */
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
