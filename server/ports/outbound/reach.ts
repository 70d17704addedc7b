import { isIP, type LookupFunction } from 'node:net'
import { isInNetworks, isPublic, type Network } from './networks.ts'
import { badPort, OutboundError } from './outbound-error.ts'

/** Which addresses may be called: public ones and those that the operator allows. */
export interface Reach {
  isOpen(address: string): boolean
  isAllowed(address: string): boolean
  /** Resolves a name. */
  readonly lookup: LookupFunction
}

export type Check = (address: string) => boolean
export type Refusal = (host: string) => OutboundError

export function reachOf(allowed: readonly Network[], lookup: LookupFunction): Reach {
  const isAllowed: Check = (address) => isInNetworks(address, allowed)
  return { isAllowed, isOpen: (address) => isPublic(address) || isAllowed(address), lookup }
}

export const notPublic: Refusal = (host) =>
  new OutboundError(`${host} is not a public address, and CORVUS_ALLOWED_NETWORKS does not list it`, 'refused-address')

export const notConfidential: Refusal = (host) =>
  new OutboundError(`${host} must be called over https, or CORVUS_ALLOWED_NETWORKS must list it`, 'refused-address')

/** Parses a URL and refuses it as far as possible without resolving its name. */
export function readAddress(text: string): URL {
  const url = URL.parse(text)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new OutboundError('only http and https URLs can be called', 'refused-address')
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutboundError('the URL must not contain credentials', 'refused-address')
  }
  if (BLOCKED_PORTS.has(Number(url.port)) && !isLocalPort(url.port)) throw badPort()
  return url
}

/** The host of a URL as the system expects it: IPv6 without brackets. */
export const hostOf = ({ hostname }: Pick<URL, 'hostname'>): string => hostname.replace(/^\[|\]$/g, '')

/** Resolves a name to those of its addresses that may be called. */
export function checkedLookup(lookup: LookupFunction, isReachable: Check, refused: Refusal): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '', 0)
      const reachable = listOf(found).filter(({ address }) => isReachable(address))
      const [first] = reachable
      if (!first) return callback(refused(hostname), '', 0)
      if (options.all) callback(null, reachable)
      else callback(null, first.address, first.family)
    })
  }
}

/**
 * Refuses a URL that a proxy will connect to. The proxy may pick any address of the name, so all must be allowed. A
 * name that only the proxy can resolve is left to the proxy.
 */
export async function refuseUnreachable({ isOpen, isAllowed, lookup }: Reach, url: URL): Promise<void> {
  const host = hostOf(url)
  const addresses = isIP(host) === 0 ? await addressesOf(lookup, host) : [host]
  if (!addresses.every(isOpen)) throw notPublic(host)
  if (isLocalPort(url.port) && (addresses.length === 0 || !addresses.every(isAllowed))) throw badPort()
}

const addressesOf = (lookup: LookupFunction, host: string): Promise<string[]> =>
  new Promise((resolve) => {
    lookup(host, { all: true }, (error, found) => resolve(error ? [] : listOf(found).map(({ address }) => address)))
  })

const listOf = (found: Parameters<Parameters<LookupFunction>[2]>[1]) => (Array.isArray(found) ? found : [])

/** Whether a port is called only on networks that the operator allows: misp-modules uses one that browsers block. */
export const isLocalPort = (port: string | number | null | undefined): boolean => LOCAL_PORTS.has(Number(port))

const LOCAL_PORTS = new Set([6666])

/** Ports of other protocols, as blocked by browsers, and those of databases. */
const BLOCKED_PORTS = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 445, 465, 512, 513, 514, 515, 526, 530, 531,
  532, 540, 548, 554, 556, 563, 587, 601, 636, 873, 989, 990, 993, 995, 1433, 1719, 1720, 1723, 2049, 3306, 3659, 4045,
  4190, 5060, 5061, 5432, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080, 11211, 27017,
])
