import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import type { Vault } from '../../engine/context.ts'
import { forbidden, unauthorized } from '../../engine/errors.ts'
import { isWrite, type Route } from '../../engine/route.ts'
import type { Gate } from '../../engine/serve.ts'
import { addressAskedFor } from '../../http/proxies.ts'
import { type BasicCredentials, findByPassword, readBasic } from '../sign-in/basic.ts'
import { COOKIE, SESSION_FORM } from '../sign-in/sessions.ts'
import {
  type Credential,
  findSession,
  findToken,
  hasSameLimits,
  LIMITS,
  type Session,
  type SignedIn,
} from './callers.ts'
import { openLastSeen } from './last-seen.ts'
import { listen } from './listener.ts'
import { PASSWORD_LIMIT, refuseFlood } from './rate-limits.ts'
import { hashSecret } from './secrets.ts'
import { TOKEN_FORM } from './tokens.ts'

const CACHE_OPTIONS = { max: 5000, ttl: 10_000 }
const RECORD_USE_EVERY_MS = 60_000

/** How long the cache stays unused after the start of a write that may change permissions. */
const CACHE_PAUSE_MS = 5000

interface Parts {
  // biome-ignore lint/suspicious/noExplicitAny: tables are known by their definitions
  readonly db: Kysely<any>
  readonly pool: pg.Pool
  readonly vault: Vault
  readonly config: Pick<Config, 'url' | 'proxyUserHeader'>
  readonly log: Logger
}

/**
 * Authenticates requests. Credentials are cached, so that a request normally costs no query; the cache is cleared as
 * soon as any process changes permissions.
 */
export async function openGate(parts: Parts): Promise<Gate & { close(): Promise<void> }> {
  const { db, pool, vault, config, log } = parts
  const cache = new LRUCache<string, Credential>(CACHE_OPTIONS)
  let generation = 0
  let pausedUntil = 0
  const clearCache = () => {
    generation++
    cache.clear()
  }
  const listener = await listen(pool, 'callers', clearCache, log)
  const lastSeen = openLastSeen(db, log)
  const passwordKey = randomBytes(32)

  async function findCached(secret: string, look: typeof findToken): Promise<Credential | undefined> {
    const mayCache = () => listener.isListening() && Date.now() >= pausedUntil
    const cached = mayCache() ? cache.get(secret) : undefined
    if (cached && (await hasSameLimits(db, cached))) return cached
    const generationBefore = generation
    const found = await look(db, secret)
    // Data read during a concurrent change may already be stale.
    if (found && mayCache() && generation === generationBefore) cache.set(secret, found)
    return found
  }

  /**
   * The password may be an API token. Checking a real password is slow, so a successful check is cached under an HMAC
   * whose key ends with the process.
   */
  async function findBasic(pair: BasicCredentials, address: string): Promise<Credential | undefined> {
    if (TOKEN_FORM.test(pair.password)) {
      const found = await findCached(pair.password, findToken)
      return found?.username === pair.username ? found : undefined
    }
    const hash = createHmac('sha256', passwordKey).update(JSON.stringify(pair)).digest('base64')
    const ctx = { db, vault, proxyUserHeader: config.proxyUserHeader }
    return findCached(`basic ${hash}`, () => {
      refuseFlood(ctx, PASSWORD_LIMIT, { address })
      return findByPassword(ctx, pair)
    })
  }

  async function find(request: FastifyRequest): Promise<Credential | undefined> {
    const pair = routeOf(request)?.takesBasic ? readBasic(request.headers.authorization) : undefined
    if (pair) return findBasic(pair, request.ip)
    const { secret, isToken } = readSecret(request)
    return findCached(secret, isToken ? findToken : findSession)
  }

  async function credentialOf(request: FastifyRequest): Promise<Credential> {
    const credential = await find(request)
    if (!credential || hasEnded(credential, Date.now())) throw unauthorized()
    // The proxy may have signed in a different user in the meantime.
    const { proxyUser = null } = credential.caller.session ?? {}
    if (proxyUser !== null && request.headers[config.proxyUserHeader ?? ''] !== proxyUser) throw unauthorized()
    return credential
  }

  async function authenticate(request: FastifyRequest): Promise<SignedIn> {
    const credential = await credentialOf(request)
    const now = Date.now()
    credential.lastUsedAt = now
    const { kind, id, notedAt, idleTimeout } = credential
    if (kind !== 'password' && now - notedAt > Math.min(RECORD_USE_EVERY_MS, idleTimeout / 4)) {
      credential.notedAt = now
      lastSeen.note(kind, id)
    }
    if (!credential.caller.session && !isWrite(request)) return credential.caller
    const route = routeOf(request)
    if (credential.caller.session) checkSession(credential.caller.session, request, route)
    // The notification may arrive after the response to this request, but the next request must already see the
    // change.
    if (isWrite(request) && route?.changesCallers) pausedUntil = now + CACHE_PAUSE_MS
    return credential.caller
  }

  return {
    authenticate,
    renew: async (request) => (await credentialOf(request)).caller,
    baseUrl: (request) => config.url ?? addressAskedFor(request),
    close: async () => {
      await Promise.all([listener.close(), lastSeen.close()])
    },
  }
}

const routeOf = ({ routeOptions }: FastifyRequest): Route | undefined =>
  (routeOptions.config as { route?: Route }).route

/**
 * Reads the API token after `Bearer` or `Token` (sent by many clients of Django services), otherwise the session
 * cookie.
 */
function readSecret(request: FastifyRequest): { secret: string; isToken: boolean } {
  const { authorization } = request.headers
  const isToken = authorization !== undefined
  const secret = isToken ? /^(?:bearer|token) +(\S+)$/i.exec(authorization.trim())?.[1] : request.cookies[COOKIE]
  if (!secret || !(isToken ? TOKEN_FORM : SESSION_FORM).test(secret)) throw unauthorized()
  return { secret, isToken }
}

const hasEnded = ({ expiresAt, idleTimeout, lastUsedAt, kind }: Credential, now: number): boolean =>
  now >= expiresAt || (kind === 'session' && now >= lastUsedAt + idleTimeout)

function checkSession({ csrfToken, limits }: Session, request: FastifyRequest, route: Route | undefined): void {
  if (isWrite(request) && !isSame(String(request.headers['x-csrf-token'] ?? ''), csrfToken)) {
    throw forbidden('Writes from a browser session require its CSRF token in the X-CSRF-Token header.')
  }
  if (limits.length > 0 && !route?.liftsLimits) {
    throw forbidden(limits.map((limit) => LIMITS[limit]).join(' '))
  }
}

const isSame = (given: string, right: string): boolean => timingSafeEqual(hashSecret(given), hashSecret(right))
