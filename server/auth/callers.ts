import { type Kysely, type RawBuilder, sql } from 'kysely'
import { forbidden } from '../engine/errors.ts'
import type { Context } from '../engine/resource.ts'
import { readAccountPolicy } from '../settings/account-policy.ts'
import { serverSetting } from '../settings/server.ts'
import { readSetting } from '../settings/setting.ts'
import { hashSecret } from './secrets.ts'
import { csrfTokenOf } from './sessions.ts'
import { type Seeing, type Sight, sightColumns } from './sight.ts'

/** What somebody must do before their session may do anything else. */
export type Limit = 'must_change_password' | 'must_set_up_two_factor'

export interface Session {
  readonly id: number
  readonly csrfToken: string
  readonly expires_at: string
  readonly limits: readonly Limit[]
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
  readonly kind: 'token' | 'session'
  readonly id: number
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
  permissions: string[]
  must_change_password: boolean
  has_two_factor: boolean
  expires_at: string
  expires: number | null
  used: number | null
}

/**
 * Who a token belongs to. An account that is locked keeps its tokens: a lock follows wrong passwords,
 * which anybody can send, and must not switch an integration off. An inactive account has nothing.
 */
export async function findToken(db: Kysely<unknown>, token: string): Promise<Credential | undefined> {
  const found = await find(db, sql`tokens`, sql`last_used_at`, token)
  return found && credential('token', found, Number.POSITIVE_INFINITY, null)
}

/** Who a browser session belongs to, and what is asked of them first. */
export async function findSession(db: Kysely<unknown>, secret: string): Promise<Credential | undefined> {
  const found = await find(db, sql`sessions`, sql`last_seen_at`, secret)
  if (!found) return undefined
  const [policy, server] = await Promise.all([readAccountPolicy(db), readSetting(db, serverSetting)])
  const session: Session = {
    id: found.id,
    csrfToken: csrfTokenOf(secret),
    expires_at: found.expires_at,
    limits: limitsOf(found, policy.two_factor_authn_enforced),
  }
  return credential('session', found, server.session_inactivity_timeout * 1000, session)
}

/** What an account must do first. */
export function limitsOf(
  account: { must_change_password: boolean; has_two_factor: boolean },
  isTwoFactorEnforced: boolean,
): Limit[] {
  return [
    ...(account.must_change_password ? ['must_change_password' as const] : []),
    ...(isTwoFactorEnforced && !account.has_two_factor ? ['must_set_up_two_factor' as const] : []),
  ]
}

async function find(db: Kysely<unknown>, table: RawBuilder<unknown>, used: RawBuilder<unknown>, secret: string) {
  const { rows } = await sql<Found>`
    select t.id, u.id as user_id, u.must_change_password, u.totp_secret is not null as has_two_factor, t.expires_at,
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
  caller: {
    id: found.user_id,
    permissions: new Set(found.permissions),
    sight: { keys: found.keys, sources: found.sources, home: found.home },
    session,
  },
  expiresAt: found.expires ?? Number.POSITIVE_INFINITY,
  idleTimeout,
  lastUsedAt: found.used ?? 0,
  notedAt: found.used ?? 0,
})
