import type { Context } from '../../engine/resource.ts'
import type { Incoming } from '../../engine/route.ts'
import { serverSetting } from '../../settings/server.ts'
import { readSetting } from '../../settings/setting.ts'
import { type Limit, limitsOf } from '../access/callers.ts'
import { readAccountPolicy } from './account-policy.ts'
import type { Account } from './proof.ts'
import { type Beginning, createSession } from './sessions.ts'

/** A session that has just begun; its secret goes into the cookie, and nowhere else. */
export interface Begun {
  readonly user: number
  readonly secret: string
  readonly lifetime: number
  readonly expires_at: string
  readonly limits: readonly Limit[]
}

/** Begins the session of somebody who has proven who they are. */
export async function beginSession(
  { db }: Pick<Context, 'db'>,
  account: Account,
  { address, headers }: Pick<Incoming, 'address' | 'headers'>,
  beginning?: Beginning,
): Promise<Begun> {
  const { two_factor_authn_enforced: isEnforced } = await readAccountPolicy(db)
  const { jwt_expiration_delta: lifetime } = await readSetting(db, serverSetting)
  const browser = { address, userAgent: String(headers['user-agent'] ?? '') }
  const begun = await createSession(db, account.id, lifetime, browser, beginning)
  // Who signed in elsewhere needs no password here.
  const known = beginning ? { ...account, must_change_password: false, second_factor: beginning.secondFactor } : account
  return { ...begun, lifetime, user: account.id, limits: limitsOf(known, isEnforced) }
}
