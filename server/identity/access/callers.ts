import { type Kysely, type RawBuilder, sql } from 'kysely'
import { forbidden } from '../../engine/errors.ts'
import type { Context } from '../../engine/resource.ts'
import { serverSetting } from '../../settings/server.ts'
import { readSetting } from '../../settings/setting.ts'
import { readAccountPolicy } from '../sign-in/account-policy.ts'
import { csrfTokenOf, type SecondFactor } from '../sign-in/sessions.ts'
import { hashSecret } from './secrets.ts'
import { type Seeing, type Sight, sightColumns } from './sight.ts'

/** What somebody must do before their session may do anything else. */
export type Limit = 'must_change_password' | 'must_set_up_two_factor' | 'must_give_code'

/** What they are told until they did. */
export const LIMITS: Record<Limit, string> = {
  must_change_password: 'The password must be changed first.',
  must_set_up_two_factor: 'A second factor must be set up first.',
  must_give_code: 'The code of the second factor must be given first.',
}

export interface Session {
  readonly id: number
  readonly csrfToken: string
  readonly expires_at: string
  readonly limits: readonly Limit[]
  /** As it was when the limits were found. */
  readonly isTwoFactorEnforced: boolean
  /** Whom a proxy must vouch for at every request; null where the session needs no proxy. */
  readonly proxyUser: string | null
}

/** A caller who proved who they are: by a browser session, or by an API token. */
export interface SignedIn extends Seeing {
  readonly session: Session | null
}

/** The browser session of a caller, where an API token is not enough. */
export function sessionOf({ caller }: Pick<Context, 'caller'>): Session {
  const { session } = caller as SignedIn
  if (!session) throw forbidden('This needs a browser session: an API token is not enough.')
  return session
}

/** A token or session with its caller, and what must be checked again at every use. */
export interface Credential {
  /** A password is one that was sent along, without a session. */
  readonly kind: 'token' | 'session' | 'password'
  readonly id: number
  readonly username: string
  readonly caller: SignedIn
  /** Milliseconds since 1970, like the others. */
  readonly expiresAt: number
  readonly idleTimeout: number
  lastUsedAt: number
  /** When a use was last written down. */
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
 * Who a token belongs to. An account that is locked keeps its tokens: a lock follows wrong passwords,
 * which anybody can send, and must not switch an integration off. An inactive account has nothing.
 */
export async function findToken(db: Kysely<unknown>, token: string): Promise<Credential | undefined> {
  const found = await find<Found>(db, sql`tokens`, sql`last_used_at`, token)
  return found && credential('token', found, Number.POSITIVE_INFINITY, null)
}

/** Who a browser session belongs to, and what is asked of them first. */
export async function findSession(db: Kysely<unknown>, secret: string): Promise<Credential | undefined> {
  const found = await find<Found & Begun>(db, sql`sessions`, sql`last_seen_at`, secret, BEGUN)
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

/** Whether what is asked of a session first is still the same: a stricter policy acts at once, however late its notification. */
export async function isStillAsked(db: Kysely<unknown>, { kind, caller }: Credential): Promise<boolean> {
  if (kind === 'token') return true
  // A password alone is let in only where no second factor is asked for.
  const { isTwoFactorEnforced = false } = caller.session ?? {}
  return (await readAccountPolicy(db)).two_factor_authn_enforced === isTwoFactorEnforced
}

interface Account {
  readonly must_change_password: boolean
  readonly has_two_factor: boolean
  /** That of a session which began with a password, unless it is said. */
  readonly second_factor?: SecondFactor
}

/** What must be done first in a session. Who signed in elsewhere needs no password here. */
export function limitsOf(account: Account, isTwoFactorEnforced: boolean): Limit[] {
  const { must_change_password, has_two_factor, second_factor = 'here' } = account
  const mustSetUp = isTwoFactorEnforced && !has_two_factor && second_factor !== 'provider'
  return [
    ...(must_change_password ? ['must_change_password' as const] : []),
    ...(mustSetUp ? ['must_set_up_two_factor' as const] : []),
    ...(second_factor === 'missing' && has_two_factor ? ['must_give_code' as const] : []),
  ]
}

/** What is known of a session beside its user. */
interface Begun extends Account {
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
