import { z } from 'zod'
import { string } from '../../engine/field.ts'
import { secretText, webAddress } from '../../settings/values.ts'
import { ADVANCED } from './transport.ts'

const HEADER = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/
/** Headers that the connection sets itself, or for which the configuration has a field. */
const RESERVED =
  /^(authorization|connection|content-.*|cookie|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i

const headerName = string(1, 100).refine(
  (name) => HEADER.test(name) && !RESERVED.test(name),
  'must be a header name that is not reserved',
)
const headerValue = string(0, 2000).regex(/^[\t -~\u0080-\u00ff]*$/, 'must be printable characters')

/** The address to call. */
export const url = webAddress().meta({ title: 'Address', description: 'An http or https address.' })

const SECRET = { format: 'password' }
const PEM = { contentMediaType: 'application/x-pem-file' }

/** How to authenticate and connect, for every transport that calls another server. */
export const connection = {
  username: string(0, 500).default('').meta({ title: 'User name', description: 'HTTP Basic, with the password.' }),
  password: secretText().meta({ ...SECRET, title: 'Password' }),
  token: secretText(/^[!-~]*$/, 'must be characters without spaces').meta({
    ...SECRET,
    title: 'Bearer token',
    description: 'Sent in the Authorization header.',
  }),
  api_key: secretText(/^[ -~]*$/, 'must be printable characters').meta({
    ...SECRET,
    title: 'API key',
    description: 'Sent in the API key header.',
  }),
  api_key_header: headerName.default('X-API-Key').meta({ ...ADVANCED, title: 'API key header' }),
  client_certificate: string(0, 100_000)
    .default('')
    .meta({ ...ADVANCED, ...PEM, title: 'Client certificate', description: 'PEM; used with the client key.' }),
  client_key: secretText().meta({ ...ADVANCED, ...SECRET, title: 'Client key', description: 'PEM.' }),
  client_key_passphrase: secretText().meta({ ...ADVANCED, ...SECRET, title: 'Client key passphrase' }),
  ca_certificate: string(0, 100_000)
    .default('')
    .meta({
      ...ADVANCED,
      ...PEM,
      title: 'Certificate authority',
      description: 'PEM; trusted in addition to the public authorities.',
    }),
  verify_ssl: z
    .boolean()
    .default(true)
    .meta({ ...ADVANCED, title: 'Verify the server certificate' }),
  proxy: webAddress()
    .nullable()
    .default(null)
    .meta({ ...ADVANCED, title: 'Proxy', description: 'The address of an HTTP proxy.' }),
  headers: z
    .record(headerName, headerValue)
    .default({})
    .meta({ ...ADVANCED, title: 'Headers', description: 'Sent with every request. Not for secrets.' }),
  timeout_seconds: z
    .int()
    .min(1)
    .max(3600)
    .default(300)
    .meta({ ...ADVANCED, title: 'Timeout (seconds)', description: 'For one request and its response.' }),
}

const settings = z.object({ url, ...connection })

/** The settings for calling another server. */
export type ConnectionSettings = z.output<typeof settings>

/** The secrets of configurations, which are stored sealed and never returned. */
export const SECRETS = ['password', 'token', 'api_key', 'client_key', 'client_key_passphrase'] as const

/** A folder on the server. */
export const folder = string(1, 1000)
  .refine((path) => path.startsWith('/') && !path.split('/').includes('..'), 'must be an absolute path without ..')
  .meta({ title: 'Folder', description: 'Must be inside a folder that the operator allows (CORVUS_FEED_FOLDERS).' })
