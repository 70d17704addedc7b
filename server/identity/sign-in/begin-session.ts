import type { Context } from '../../engine/context.ts'
import type { Incoming } from '../../engine/route.ts'
import { serverSetting } from '../../settings/server.ts'
import { readSetting } from '../../settings/setting.ts'
import { type Limit, limitsOf } from '../access/callers.ts'
import { readAccountPolicy } from './account-policy.ts'
import type { Account } from './proof.ts'
import { createSession, type SessionOrigin } from './sessions.ts'

/** A new session. Its secret is stored in the cookie and nowhere else. */
export interface NewSession {
  readonly user: number
  readonly secret: string
  readonly lifetime: number
  readonly expires_at: string
  readonly limits: readonly Limit[]
}

/** Creates a session for a user whose identity is proven. */
export async function beginSession(
  { db }: Pick<Context, 'db'>,
  account: Account,
  { address, headers }: Pick<Incoming, 'address' | 'headers'>,
  origin?: SessionOrigin,
): Promise<NewSession> {
  const { two_factor_authn_enforced: isEnforced } = await readAccountPolicy(db)
  const { jwt_expiration_delta: lifetime } = await readSetting(db, serverSetting)
  const browser = { address, userAgent: String(headers['user-agent'] ?? '') }
  const begun = await createSession(db, account.id, lifetime, browser, origin)
  // Users who signed in at an identity provider need no password here.
  const known = origin ? { ...account, must_change_password: false, second_factor: origin.secondFactor } : account
  return { ...begun, lifetime, user: account.id, limits: limitsOf(known, isEnforced) }
}
