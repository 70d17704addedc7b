import { isUtf8 } from 'node:buffer'
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { isInNetworks, type Network } from '../ports/outbound.ts'

/** Whether the forwarding headers of an address are trusted. */
export const isTrusted = (address: string | undefined, trusted: readonly Network[]): boolean =>
  trusted.length > 0 && address !== undefined && isIP(address) !== 0 && isInNetworks(address, trusted)

/** Headers that reveal that a proxy forwarded the request. */
const PASSED_ON = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

/**
 * Whether a request comes from a network that may read metrics without a token. Behind a trusted proxy, the forwarded
 * address counts. Requests forwarded by other proxies may come from anywhere.
 */
export function isMetricsReader(
  { ip, raw }: FastifyRequest,
  { metricsNetworks, trustedProxies }: Pick<Config, 'metricsNetworks' | 'trustedProxies'>,
): boolean {
  const isPassedOn = PASSED_ON.some((name) => raw.headers[name] !== undefined)
  const isFromProxy = isTrusted(raw.socket.remoteAddress, trustedProxies)
  // If a proxy does not name the client, the client could be anyone.
  const isNamed = ip !== raw.socket.remoteAddress
  if (isPassedOn !== isFromProxy || isNamed !== isFromProxy) return false
  return isTrusted(ip, metricsNetworks)
}

const MAX_USERNAME_LENGTH = 500

/**
 * Removes headers that only a trusted proxy may set, unless this proxy is trusted and the values are valid and
 * unambiguous: the signed-in user and forwarded addresses. The remaining ones can be trusted.
 */
export function believeProxies(
  request: FastifyRequest,
  config: Pick<Config, 'trustedProxies' | 'proxyUserHeader'>,
): void {
  const { headers } = request.raw
  const isFromProxy = isTrusted(request.raw.socket.remoteAddress, config.trustedProxies)
  if (config.proxyUserHeader !== undefined) {
    const user = isFromProxy ? readUser(request, config.proxyUserHeader) : undefined
    delete headers[config.proxyUserHeader]
    if (user !== undefined) headers[config.proxyUserHeader] = user
  }
  const forwarded = headers['x-forwarded-for']
  if (isFromProxy && typeof forwarded === 'string') headers['x-forwarded-for'] = addressesIn(forwarded).join(', ')
}

/** The username in a header that occurs exactly once. Browsers and proxies send non-ASCII characters as UTF-8. */
function readUser({ raw }: FastifyRequest, header: string): string | undefined {
  const values = raw.rawHeaders.filter((_, i, all) => i % 2 === 1 && all[i - 1]?.toLowerCase() === header)
  const bytes = Buffer.from(values[0] ?? '', 'latin1')
  if (values.length !== 1 || !isUtf8(bytes)) return undefined
  const name = bytes.toString('utf8').trim()
  return name === '' || name.length > MAX_USERNAME_LENGTH || /\p{Cc}/u.test(name) ? undefined : name
}

/** The nearest addresses of a chain, up to the first invalid one: only the proxy that added it knows its meaning. */
function addressesIn(forwarded: string): string[] {
  const parts = forwarded.split(',').map((part) => addressOf(part.trim()))
  return parts.slice(parts.lastIndexOf(undefined) + 1).filter((address) => address !== undefined)
}

/** Parses an address, without the port that some proxies add. */
function addressOf(text: string): string | undefined {
  const address = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  return isIP(address) === 0 ? undefined : address
}

/** The host of a URL: a name or address, with an optional port. */
const HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/** The base URL of this server according to the request. Headers of untrusted proxies and invalid hosts are ignored. */
export function addressAskedFor(request: FastifyRequest): string {
  const host = HOST.test(request.host) ? request.host : (request.headers.host ?? '')
  return `${request.protocol === 'https' ? 'https' : 'http'}://${host}`
}
