import { createHash, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { createSecureContext, getCACertificates } from 'node:tls'
import { LRUCache } from 'lru-cache'
import type { Agent, Dispatcher } from 'undici'
import type { Connection } from '../outbound.ts'
import { badPort, OutboundError } from './outbound-error.ts'
import {
  type Check,
  checkedLookup,
  hostOf,
  isLocalPort,
  notConfidential,
  notPublic,
  type Reach,
  type Refusal,
  readAddress,
} from './reach.ts'

type Undici = typeof import('undici')

const CONNECT_MS = 10_000
const KEEP_MS = 5000
/** The maximum number of connection settings whose agents are kept open. */
const MAX_AGENTS = 50

/** Keeps an agent for each set of connection settings. */
export interface Dispatchers {
  /** `isPlain`: only for networks that the operator allows, because content that is confidential is sent without encryption. */
  for(connection: Connection, isPlain: boolean): Dispatcher
  close(): Promise<void>
}

/** An agent that connects only to addresses that pass the check. */
export function agentFor(
  { Agent, buildConnector }: Undici,
  { lookup, isAllowed }: Reach,
  isReachable: Check,
  refused: Refusal,
  more: object = {},
): Agent {
  const connectorFor = (check: Check, refusal: Refusal) => ({
    check,
    refusal,
    connect: buildConnector({ lookup: checkedLookup(lookup, check, refusal), timeout: CONNECT_MS, ...more }),
  })
  const usual = connectorFor(isReachable, refused)
  const local = connectorFor(isAllowed, badPort)
  return new Agent({
    connect: (options, callback) => {
      const host = hostOf(options)
      const { check, refusal, connect } = isLocalPort(options.port) ? local : usual
      if (isIP(host) !== 0 && !check(host)) callback(refusal(host), null)
      else connect(options, callback)
    },
    keepAliveTimeout: KEEP_MS,
  })
}

/** Keeps one agent for each combination of certificates and proxy; changed settings get a new one. */
export function openDispatchers(undici: Undici, reach: Reach): Dispatchers {
  const agents = new LRUCache<string, Dispatcher>({
    max: MAX_AGENTS,
    // Requests in progress can still finish.
    dispose: (agent) => void agent.close().catch(() => {}),
  })
  return {
    for: (connection, isPlain) => {
      const key = `${isPlain} ${keyOf(connection)}`
      const agent = agents.get(key) ?? dispatcherOf(undici, reach, connection, isPlain)
      if (!agents.has(key)) agents.set(key, agent)
      return agent
    },
    close: async () => {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()))
    },
  }
}

function keyOf({ certificate, key, passphrase, ca, isVerified, proxy }: Connection): string {
  const parts = JSON.stringify([certificate, key, passphrase, ca, isVerified, proxy])
  return createHash('sha256').update(parts).digest('base64')
}

function dispatcherOf(undici: Undici, reach: Reach, connection: Connection, isPlain: boolean): Dispatcher {
  const tls = { ...tlsOf(connection), allowH2: false }
  if (connection.proxy === undefined)
    return isPlain
      ? agentFor(undici, reach, reach.isAllowed, notConfidential, tls)
      : agentFor(undici, reach, reach.isOpen, notPublic, tls)
  const proxy = readAddress(connection.proxy)
  if (isLocalPort(proxy.port)) throw badPort()
  const host = hostOf(proxy)
  if (isIP(host) !== 0 && !reach.isOpen(host)) throw notPublic(host)
  const lookup = checkedLookup(reach.lookup, reach.isOpen, notPublic)
  return new undici.ProxyAgent({
    uri: proxy.href,
    proxyTls: { ...authorityOf(connection), lookup, allowH2: false, timeout: CONNECT_MS },
    requestTls: tls,
    keepAliveTimeout: KEEP_MS,
    clientFactory: (origin, options) =>
      new undici.Pool(origin, { ...(options as object), headersTimeout: CONNECT_MS, bodyTimeout: CONNECT_MS }),
  })
}

/** Read once for all connections, because the list of usual authorities is long. */
function tlsOf(connection: Connection): object {
  const { certificate, key, passphrase, isVerified = true } = connection
  try {
    // Node would silently ignore anything that is not a certificate.
    if (connection.ca !== undefined) new X509Certificate(connection.ca)
    const secureContext = createSecureContext({
      ...authorityOf(connection),
      ...(certificate !== undefined && { cert: certificate }),
      ...(key !== undefined && { key }),
      ...(passphrase !== undefined && { passphrase }),
    })
    return { secureContext, rejectUnauthorized: isVerified }
  } catch {
    throw new OutboundError('the certificates or the key of the connection cannot be read', 'configuration')
  }
}

const authorityOf = ({ ca }: Connection): { ca?: string[] } =>
  ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] }
