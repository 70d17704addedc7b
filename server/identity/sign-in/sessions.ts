import { createHmac } from 'node:crypto'
import { fastifyCookie } from '@fastify/cookie'
import { type Kysely, sql } from 'kysely'
import { hashSecret, makeSecret } from '../access/secrets.ts'

/** The cookie of a browser session. */
export const COOKIE = 'corvus_session'

/** What every session's secret looks like, so that anything else is refused without asking the database. */
export const SESSION_FORM = /^[\w-]{43}$/

/** What a browser tells about itself. */
export interface Browser {
  readonly address: string
  readonly userAgent: string
}

/** How a session begins other than with a password. */
export interface Beginning {
  /** The identity at a provider. */
  readonly identity?: number
  readonly isByProxy?: boolean
  readonly secondFactor: SecondFactor
  /** Sealed. */
  readonly signOutUrl?: string | null
}

/** Who asks for the second factor: we do, where there is one; the provider did; or it is still missing. */
export type SecondFactor = 'here' | 'provider' | 'missing'

/** Begins a browser session that ends after so many seconds, whatever happens. */
export async function createSession(
  db: Kysely<unknown>,
  userId: number,
  lifetime: number,
  { address, userAgent }: Browser,
  { identity, isByProxy = false, secondFactor, signOutUrl = null }: Beginning = { secondFactor: 'here' },
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

/** Ends all sessions of these users but one, and takes back the links that would set their passwords. */
export async function endSessions(db: Kysely<unknown>, userIds: readonly number[], except = 0): Promise<void> {
  await sql`
    with unlinked as (delete from password_resets where user_id = any(${userIds}::integer[]))
    delete from sessions
    where user_id = any(${userIds}::integer[]) and id <> ${except}`.execute(db)
}

/** Notes that the second factor, which a session lacked, was proven here. */
export async function noteSecondFactor(db: Kysely<unknown>, id: number): Promise<void> {
  await sql`update sessions set second_factor = 'here' where id = ${id} and second_factor = 'missing'`.execute(db)
}

/** Ends one session. */
export async function endSession(db: Kysely<unknown>, id: number): Promise<void> {
  await sql`delete from sessions where id = ${id}`.execute(db)
}

/** What a page must send along to write: other sites cannot read it, and only who has the cookie can make it. */
export const csrfTokenOf = (secret: string): string => createHmac('sha256', secret).update('csrf').digest('base64url')

/** The header that gives a browser its session, or with no secret takes it away. */
export const sessionCookie = (baseUrl: string, secret: string, lifetime: number): string =>
  fastifyCookie.serialize(COOKIE, secret, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: baseUrl.startsWith('https:'),
    // Browsers keep a cookie for 400 days at most.
    maxAge: Math.min(lifetime, 34_560_000),
  })
