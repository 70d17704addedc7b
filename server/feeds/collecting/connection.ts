import type { Connection, StreamLimits } from '../../ports/outbound.ts'
import type { Connection as Configured } from '../transports/connection.ts'

/** What the configuration of a feed says about calling a server. */
export type Calling = Configured

/** A server that sends nothing for so long has forgotten us. */
const IDLE_MS = 60_000

/** How the server of a feed is called, as the port for calls takes it. */
export function connectionOf(calling: Calling): Connection {
  const { client_certificate, client_key, client_key_passphrase, ca_certificate, verify_ssl, proxy } = calling
  return {
    credentials: connectionHeaders(calling),
    ...(client_certificate !== '' && { certificate: client_certificate }),
    ...(client_key && { key: client_key }),
    ...(client_key_passphrase && { passphrase: client_key_passphrase }),
    ...(ca_certificate !== '' && { ca: ca_certificate }),
    ...(proxy !== null && { proxy }),
    isVerified: verify_ssl,
  }
}

/** The headers that prove who calls, and those that the configuration adds. A bearer token goes before Basic. */
export function connectionHeaders(calling: Calling): Record<string, string> {
  const { username, password, token, api_key, api_key_header, headers } = calling
  const basic = username !== '' || password ? `Basic ${base64(`${username}:${password ?? ''}`)}` : undefined
  const authorization = token ? `Bearer ${token}` : basic
  return {
    ...headers,
    ...(authorization !== undefined && { authorization }),
    ...(api_key && { [api_key_header]: api_key }),
  }
}

/** The connection for an address that the configuration names beside its own: proof goes to the same server only. */
export function connectionTo(connection: Connection, home: string, url: string): Connection {
  if (URL.parse(home)?.origin === URL.parse(url)?.origin) return connection
  const { credentials: _, certificate: _certificate, key: _key, passphrase: _passphrase, ...open } = connection
  return open
}

/** The bounds of one exchange with the server of a feed. */
export const limitsOf = ({ timeout_seconds }: Calling, mostBytes: number): StreamLimits => ({
  timeoutMs: timeout_seconds * 1000,
  idleMs: Math.min(timeout_seconds * 1000, IDLE_MS),
  mostBytes,
})

const base64 = (text: string): string => Buffer.from(text).toString('base64')
