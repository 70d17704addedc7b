import { createHmac } from 'node:crypto'
import { fastifyCookie } from '@fastify/cookie'
import { type Kysely, sql } from 'kysely'
import { hashSecret, makeSecret } from '../access/secrets.ts'

/** The name of the session cookie. */
export const COOKIE = 'corvus_session'

/** The format of every session secret, so that anything else is rejected without a query. */
export const SESSION_FORM = /^[\w-]{43}$/

/** What a browser reports about itself. */
export interface Browser {
  readonly address: string
  readonly userAgent: string
}

/** How a session begins without a password. */
export interface SessionOrigin {
  /** The id of the linked identity at a provider. */
  readonly identity?: number
  readonly isByProxy?: boolean
  readonly secondFactor: SecondFactor
  /** Sealed. */
  readonly signOutUrl?: string | null
}

/** Who verifies the second factor: this server (if one is set up), the provider, or neither yet. */
export type SecondFactor = 'here' | 'provider' | 'missing'

/** Creates a browser session that ends after this many seconds at the latest. */
export async function createSession(
  db: Kysely<unknown>,
  userId: number,
  lifetime: number,
  { address, userAgent }: Browser,
  { identity, isByProxy = false, secondFactor, signOutUrl = null }: SessionOrigin = { secondFactor: 'here' },
): Promise<{ secret: string; expires_at: string }> {
  const secret = makeSecret()
  const { rows } = await sql<{ expires_at: string }>`
    with welcomed as (update users set last_login_at = now() where id = ${userId})
    insert into sessions
      (user_id, hash, address, user_agent, expires_at, identity, is_by_proxy, second_factor, sign_out_url)
    values (${userId}, ${hashSecret(secret)}, ${address}, ${userAgent.slice(0, 500)},
      now() + make_interval(secs => ${lifetime}), ${identity ?? null}, ${isByProxy}, ${secondFactor}, ${signOutUrl})
    returning expires_at`.execute(db)
  if (!rows[0]) throw new TypeError('The session was not stored.')
  return { secret, expires_at: rows[0].expires_at }
}

/** Ends all sessions of these users except one, and invalidates their password reset links. */
export async function endSessions(db: Kysely<unknown>, userIds: readonly number[], except = 0): Promise<void> {
  await sql`
    with unlinked as (delete from password_resets where user_id = any(${userIds}::integer[]))
    delete from sessions
    where user_id = any(${userIds}::integer[]) and id <> ${except}`.execute(db)
}

/** Records that the missing second factor of a session has been verified here. */
export async function recordSecondFactor(db: Kysely<unknown>, id: number): Promise<void> {
  await sql`update sessions set second_factor = 'here' where id = ${id} and second_factor = 'missing'`.execute(db)
}

/** Ends one session. */
export async function endSession(db: Kysely<unknown>, id: number): Promise<void> {
  await sql`delete from sessions where id = ${id}`.execute(db)
}

/**
 * The token that a page must send with writes. Other sites cannot read it, and only the holder of the cookie can
 * compute it.
 */
export const csrfTokenOf = (secret: string): string => createHmac('sha256', secret).update('csrf').digest('base64url')

/** The Set-Cookie header for a session; an empty secret clears the cookie. */
export const sessionCookie = (baseUrl: string, secret: string, lifetime: number): string =>
  fastifyCookie.serialize(COOKIE, secret, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: baseUrl.startsWith('https:'),
    // Browsers limit the lifetime of cookies to 400 days.
    maxAge: Math.min(lifetime, 34_560_000),
  })
