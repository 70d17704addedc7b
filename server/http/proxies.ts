import { isUtf8 } from 'node:buffer'
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { isWithin, type Network } from '../ports/outbound.ts'

/** Whether what an address says of a request that it passes on is believed. */
export const isTrusted = (address: string | undefined, trusted: readonly Network[]): boolean =>
  trusted.length > 0 && address !== undefined && isIP(address) !== 0 && isWithin(address, trusted)

/** Headers that show that a request was passed on by a proxy. */
const PASSED_ON = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

/**
 * Whether a request comes from a network that reads metrics without a token. Behind a trusted proxy, the address counts that it
 * passes on; what anyone else passes on may come from anywhere.
 */
export function isMetricsReader(
  { ip, raw }: FastifyRequest,
  { metricsNetworks, trustedProxies }: Pick<Config, 'metricsNetworks' | 'trustedProxies'>,
): boolean {
  const isPassedOn = PASSED_ON.some((name) => raw.headers[name] !== undefined)
  const isFromProxy = isTrusted(raw.socket.remoteAddress, trustedProxies)
  // A proxy that does not say whom it passes on stands for anyone.
  const isNamed = ip !== raw.socket.remoteAddress
  if (isPassedOn !== isFromProxy || isNamed !== isFromProxy) return false
  return isTrusted(ip, metricsNetworks)
}

const LONGEST_NAME = 500

/**
 * Takes off a request, before anybody reads it, what only a trusted proxy may say and this one does not, or not clearly: who
 * is signed in, and addresses that are none. Whatever stays can be believed.
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

/** The name in a header that is there exactly once; browsers and proxies send letters beyond ASCII as UTF-8. */
function readUser({ raw }: FastifyRequest, header: string): string | undefined {
  const values = raw.rawHeaders.filter((_, i, all) => i % 2 === 1 && all[i - 1]?.toLowerCase() === header)
  const bytes = Buffer.from(values[0] ?? '', 'latin1')
  if (values.length !== 1 || !isUtf8(bytes)) return undefined
  const name = bytes.toString('utf8').trim()
  return name === '' || name.length > LONGEST_NAME || /\p{Cc}/u.test(name) ? undefined : name
}

/** The nearest addresses of a chain, up to what is no address: only who added that knows what it was to mean. */
function addressesIn(forwarded: string): string[] {
  const parts = forwarded.split(',').map((part) => addressOf(part.trim()))
  return parts.slice(parts.lastIndexOf(undefined) + 1).filter((address) => address !== undefined)
}

/** An address, without the port that some proxies add. */
function addressOf(text: string): string | undefined {
  const address = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  return isIP(address) === 0 ? undefined : address
}

/** A host as it stands in an address: a name or an address, and a port. */
const HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/** The address of this server as the request has it; a proxy that is not trusted, or says what is no host, is not heard. */
export function addressAskedFor(request: FastifyRequest): string {
  const host = HOST.test(request.host) ? request.host : (request.headers.host ?? '')
  return `${request.protocol === 'https' ? 'https' : 'http'}://${host}`
}
