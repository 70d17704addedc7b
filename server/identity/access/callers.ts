import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { forbidden } from '../../engine/errors.ts'
import { serverSetting } from '../../settings/server.ts'
import { readSetting } from '../../settings/setting.ts'
import { readAccountPolicy } from '../sign-in/account-policy.ts'
import { csrfTokenOf, type SecondFactor } from '../sign-in/sessions.ts'
import { hashSecret } from './secrets.ts'
import { type Seeing, type Sight, sightColumns } from './sight.ts'

/** A step that a user must complete before their session can do anything else. */
export type Limit = 'must_change_password' | 'must_set_up_two_factor' | 'must_give_code'

/** The error message for each pending step. */
export const LIMITS: Record<Limit, string> = {
  must_change_password: 'Change your password first.',
  must_set_up_two_factor: 'Set up a second factor first.',
  must_give_code: 'Enter the code of your second factor first.',
}

export interface Session {
  readonly id: number
  readonly csrfToken: string
  readonly expires_at: string
  readonly limits: readonly Limit[]
  /** Whether a second factor was enforced when the limits were determined. */
  readonly isTwoFactorEnforced: boolean
  /** The user that a trusted proxy must name in every request; null if the session does not depend on a proxy. */
  readonly proxyUser: string | null
}

/** A caller authenticated by a browser session, API token or password. */
export interface SignedIn extends Seeing {
  readonly session: Session | null
}

/** The caller's browser session. Throws a 403 for API tokens. */
export function sessionOf({ caller }: Pick<Context, 'caller'>): Session {
  const { session } = caller as SignedIn
  if (!session) throw forbidden('This requires a browser session; an API token is not accepted.')
  return session
}

/** A token or session with its caller, and the data that is checked on every use. */
export interface Credential {
  /** `password` means that the request itself carried the password, without a session. */
  readonly kind: 'token' | 'session' | 'password'
  readonly id: number
  readonly username: string
  readonly caller: SignedIn
  /** In milliseconds since 1970, like the other times. */
  readonly expiresAt: number
  readonly idleTimeout: number
  lastUsedAt: number
  /** When the last use was recorded. */
  notedAt: number
}

interface Found extends Sight {
  id: number
  user_id: number
  username: string
  permissions: string[]
  expires_at: string
  expires: number | null
  used: number | null
}

/**
 * Finds the owner of a token. Tokens of a locked account stay valid: an account is locked by wrong passwords, which
 * anyone can send, and that must not stop an integration. Tokens of an inactive account are refused.
 */
export async function findToken(db: Kysely<unknown>, token: string): Promise<Credential | undefined> {
  const found = await find<Found>(db, sql`tokens`, sql`last_used_at`, token)
  return found && credential('token', found, Number.POSITIVE_INFINITY, null)
}

/** Finds the owner of a browser session, and the steps they must complete first. */
export async function findSession(db: Kysely<unknown>, secret: string): Promise<Credential | undefined> {
  const found = await find<Found & SessionRow>(db, sql`sessions`, sql`last_seen_at`, secret, BEGUN)
  if (!found) return undefined
  const [policy, server] = await Promise.all([readAccountPolicy(db), readSetting(db, serverSetting)])
  const session: Session = {
    id: found.id,
    csrfToken: csrfTokenOf(secret),
    expires_at: found.expires_at,
    limits: limitsOf(found, policy.two_factor_authn_enforced),
    isTwoFactorEnforced: policy.two_factor_authn_enforced,
    proxyUser: found.is_by_proxy ? found.username : null,
  }
  return credential('session', found, server.session_inactivity_timeout * 1000, session)
}

/**
 * Whether the steps required of a session are still the same. A stricter policy takes effect at once, even if its
 * notification is late.
 */
export async function hasSameLimits(db: Kysely<unknown>, { kind, caller }: Credential): Promise<boolean> {
  if (kind === 'token') return true
  // A password alone is accepted only where no second factor is enforced.
  const { isTwoFactorEnforced = false } = caller.session ?? {}
  return (await readAccountPolicy(db)).two_factor_authn_enforced === isTwoFactorEnforced
}

interface Account {
  readonly must_change_password: boolean
  readonly has_two_factor: boolean
  /** Absent for sessions that began with a password. */
  readonly second_factor?: SecondFactor
}

/** The steps to complete first in a session. A user who signed in at an identity provider needs no password here. */
export function limitsOf(account: Account, isTwoFactorEnforced: boolean): Limit[] {
  const { must_change_password, has_two_factor, second_factor = 'here' } = account
  const mustSetUp = isTwoFactorEnforced && !has_two_factor && second_factor !== 'provider'
  return [
    ...(must_change_password ? ['must_change_password' as const] : []),
    ...(mustSetUp ? ['must_set_up_two_factor' as const] : []),
    ...(second_factor === 'missing' && has_two_factor ? ['must_give_code' as const] : []),
  ]
}

/** A session row, joined with its user. */
interface SessionRow extends Account {
  readonly is_by_proxy: boolean
}

const BEGUN = sql`
  u.must_change_password and t.identity is null and not t.is_by_proxy as must_change_password,
  u.totp_secret is not null as has_two_factor, t.second_factor, t.is_by_proxy,`

async function find<F>(
  db: Kysely<unknown>,
  table: RawBuilder<unknown>,
  used: RawBuilder<unknown>,
  secret: string,
  more: RawBuilder<unknown> = sql``,
): Promise<F | undefined> {
  const { rows } = await sql<F>`
    select t.id, u.id as user_id, u.username, t.expires_at, ${more}
      (extract(epoch from t.expires_at) * 1000)::float8 as expires,
      (extract(epoch from t.${used}) * 1000)::float8 as used,
      array(
        select p.name from user_permissions as l join permissions as p on p.id = l.target where l.source = u.id
      ) as permissions,
      ${sightColumns}
    from ${table} as t
    join users as u on u.id = t.user_id
    where t.hash = ${hashSecret(secret)} and u.is_active`.execute(db)
  return rows[0]
}

const credential = (
  kind: Credential['kind'],
  found: Found,
  idleTimeout: number,
  session: Session | null,
): Credential => ({
  kind,
  id: found.id,
  username: found.username,
  caller: {
    id: found.user_id,
    permissions: new Set(found.permissions),
    sight: { keys: found.keys, sources: found.sources, home: found.home, own: found.own, ownNumbers: found.ownNumbers },
    session,
  },
  expiresAt: found.expires ?? Number.POSITIVE_INFINITY,
  idleTimeout,
  lastUsedAt: found.used ?? 0,
  notedAt: found.used ?? 0,
})
