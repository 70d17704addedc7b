import type { Connection, StreamLimits } from '../../ports/outbound.ts'
import type { ConnectionSettings } from '../transports/connection.ts'

/** A connection on which the server sends nothing for this long is closed. */
const IDLE_MS = 60_000

/** Converts the settings of a feed to a connection of the outbound port. */
export function connectionOf(settings: ConnectionSettings): Connection {
  const { client_certificate, client_key, client_key_passphrase, ca_certificate, verify_ssl, proxy } = settings
  return {
    credentials: connectionHeaders(settings),
    ...(client_certificate !== '' && { certificate: client_certificate }),
    ...(client_key && { key: client_key }),
    ...(client_key_passphrase && { passphrase: client_key_passphrase }),
    ...(ca_certificate !== '' && { ca: ca_certificate }),
    ...(proxy !== null && { proxy }),
    isVerified: verify_ssl,
  }
}

/** The credentials and the configured headers. A bearer token takes precedence over Basic. */
function connectionHeaders(settings: ConnectionSettings): Record<string, string> {
  const { username, password, token, api_key, api_key_header, headers } = settings
  const basic = username !== '' || password ? `Basic ${base64(`${username}:${password ?? ''}`)}` : undefined
  const authorization = token ? `Bearer ${token}` : basic
  return {
    ...headers,
    ...(authorization !== undefined && { authorization }),
    ...(api_key && { [api_key_header]: api_key }),
  }
}

/** The connection for another address that the configuration names: credentials are sent only to the origin of the feed. */
export function connectionTo(connection: Connection, ownUrl: string, url: string): Connection {
  if (URL.parse(ownUrl)?.origin === URL.parse(url)?.origin) return connection
  const { credentials: _, certificate: _certificate, key: _key, passphrase: _passphrase, ...open } = connection
  return open
}

/** The limits of one exchange with the server of a feed. */
export const limitsOf = ({ timeout_seconds }: ConnectionSettings, mostBytes: number): StreamLimits => ({
  timeoutMs: timeout_seconds * 1000,
  idleMs: Math.min(timeout_seconds * 1000, IDLE_MS),
  mostBytes,
})

const base64 = (text: string): string => Buffer.from(text).toString('base64')
