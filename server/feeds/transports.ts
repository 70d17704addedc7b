import { z } from 'zod'
import { string } from '../engine/field.ts'
import { mailAddress, secretText, webAddress } from '../settings/values.ts'

/** How something comes in or goes out: its name, and what has to be known to do it. */
export interface Transport {
  readonly doc: string
  readonly configuration: z.ZodObject
}

const HEADER = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/
/** Headers that belong to the connection, or that the configuration has a place of its own for. */
const RESERVED =
  /^(authorization|connection|content-.*|cookie|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i

const headerName = string(1, 100).refine(
  (name) => HEADER.test(name) && !RESERVED.test(name),
  'must be the name of a header that is not reserved',
)
const headerValue = string(0, 2000).regex(/^[\t -~\u0080-\u00ff]*$/, 'must be printable characters')

/** Whom to call and how to prove who calls, for every transport that calls another server. */
export const connection = {
  url: webAddress(),
  username: string(0, 500).default('').describe('With `password`: HTTP Basic.'),
  password: secretText(),
  token: secretText(/^[!-~]*$/, 'must be characters without spaces').describe('Sent as a bearer token.'),
  api_key: secretText(/^[ -~]*$/, 'must be printable characters').describe('Sent in the header `api_key_header`.'),
  api_key_header: headerName.default('X-API-Key'),
  client_certificate: string(0, 100_000).default('').describe('PEM; shown to the server with `client_key`.'),
  client_key: secretText(),
  client_key_passphrase: secretText(),
  ca_certificate: string(0, 100_000).default('').describe('PEM; trusted beside the usual authorities.'),
  verify_ssl: z.boolean().default(true),
  proxy: webAddress().nullable().default(null).describe('An HTTP proxy that the calls go through.'),
  headers: z.record(headerName, headerValue).default({}).describe('Sent with every call; not for secrets.'),
  timeout_seconds: z.int().min(1).max(3600).default(300).describe('For one exchange, body included.'),
}

/** The names of what is secret in configurations; it is stored sealed, and never shown. */
export const SECRETS = ['password', 'token', 'api_key', 'client_key', 'client_key_passphrase'] as const

const folder = string(1, 1000).refine(
  (path) => path.startsWith('/') && !path.split('/').includes('..'),
  'must be an absolute path without ..',
)

/** The ways in, by the names that clients know. */
export const INCOMING_TRANSPORTS = {
  'eiq.incoming-transports.http-download': {
    doc: 'downloads a document by HTTP or HTTPS',
    configuration: z.object({
      ...connection,
      signature_url: webAddress().nullable().default(null).describe('Where its detached OpenPGP signature is.'),
    }),
  },
  'eiq.incoming-transports.taxii2': {
    doc: 'polls a collection of a TAXII 2.1 server',
    configuration: z.object({
      ...connection,
      url: webAddress().describe('The API root, or the discovery address where it has just one.'),
      collection_id: string(1, 200).describe('The id or alias of the collection.'),
      added_after: z.iso.datetime({ offset: true }).nullable().default(null).describe('Where the first poll begins.'),
      page_size: z.int().min(1).max(10_000).default(1000),
    }),
  },
  'eiq.incoming-transports.misp-feed': {
    doc: 'reads a MISP feed by its manifest',
    configuration: z.object({
      ...connection,
      url: webAddress().describe('The folder of the feed, which holds manifest.json.'),
      tags: z
        .array(string(1, 500))
        .max(200)
        .default([])
        .describe('Only events with one of these tags; none means all.'),
      published_only: z.boolean().default(false),
    }),
  },
  'eiq.incoming-transports.rss': {
    doc: 'reads the articles of an RSS or Atom feed',
    configuration: z.object({
      ...connection,
      fetch_articles: z.boolean().default(false).describe('Whether the pages are fetched that articles lead to.'),
    }),
  },
  'eiq.incoming-transports.mount-point-download': {
    doc: 'reads the files of a folder that the operator allows',
    configuration: z.object({
      path: folder,
      pattern: string(1, 200).default('*').describe('Which names are read; * stands for any characters.'),
      is_recursive: z.boolean().default(false),
      after: z.enum(['keep', 'delete']).default('keep').describe('What becomes of files that were taken in.'),
    }),
  },
  'eiq.incoming-transports.push': {
    doc: 'takes what is sent to /incoming-feeds/{id}/push, or to its TAXII collection',
    configuration: z.object({}),
  },
} as const satisfies Record<string, Transport>

/** The ways out, by the names that clients know. */
export const OUTGOING_TRANSPORTS = {
  'eiq.outgoing-transports.http-download': {
    doc: 'keeps blocks for clients to download',
    configuration: z.object({}),
  },
  'eiq.outgoing-transports.taxii2': {
    doc: 'serves a collection of the TAXII 2.1 server',
    configuration: z.object({}),
  },
  'eiq.outgoing-transports.http-push': {
    doc: 'sends each block to an address',
    configuration: z.object({ ...connection, method: z.enum(['POST', 'PUT']).default('POST') }),
  },
  'eiq.outgoing-transports.mount-point-upload': {
    doc: 'writes each block into a folder that the operator allows',
    configuration: z.object({
      path: folder,
      filename: string(0, 200)
        .regex(/^[^/\0]*$/, 'must not have slashes')
        .default('')
        .describe('A fixed name, which each block then replaces; empty gives each block a name of its own.'),
    }),
  },
  'eiq.outgoing-transports.send-email': {
    doc: 'mails each block as an attachment',
    configuration: z.object({
      recipients: z.array(mailAddress()).min(1).max(50),
      subject: string(0, 200)
        .regex(/^[^\r\n]*$/, 'must be one line')
        .default(''),
      most_megabytes: z
        .int()
        .min(1)
        .max(100)
        .default(20)
        .describe('Larger blocks are not mailed: the feed then fails.'),
    }),
  },
} as const satisfies Record<string, Transport>

export type IncomingTransport = keyof typeof INCOMING_TRANSPORTS
export type OutgoingTransport = keyof typeof OUTGOING_TRANSPORTS

/** A configuration with all of its defaults, and with its secrets, as those who call others need it. */
export type ConfigurationOf<T extends IncomingTransport | OutgoingTransport> = T extends IncomingTransport
  ? z.output<(typeof INCOMING_TRANSPORTS)[T]['configuration']>
  : T extends OutgoingTransport
    ? z.output<(typeof OUTGOING_TRANSPORTS)[T]['configuration']>
    : never

/** What it takes to call another server. */
export type Connection = ConfigurationOf<'eiq.incoming-transports.http-download'>

/** The name of a transport, which may come without what is in front of it, and with underscores. */
export const transportType = <T extends string>(transports: Readonly<Record<T, Transport>>) => {
  const names = Object.keys(transports) as T[]
  return z
    .string()
    .transform((text, check): T => {
      const own = text.trim().toLowerCase().replaceAll('_', '-')
      const found = names.find((name) => name === own || name.split('.').at(-1) === own)
      if (found !== undefined) return found
      check.addIssue({ code: 'custom', message: `must be one of ${names.join(', ')}` })
      return z.NEVER
    })
    .describe(names.map((name) => `${name}: ${transports[name].doc}.`).join(' '))
}
