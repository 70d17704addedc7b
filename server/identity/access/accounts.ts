import { type Kysely, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { badRequest, conflict } from '../../engine/errors.ts'
import { readAccountPolicy } from '../sign-in/account-policy.ts'
import { brokenRules, hashPassword } from '../sign-in/passwords.ts'
import { makeRecoveryCodes, makeTotpSecret, stepOf } from '../sign-in/totp.ts'
import { hashSecret, makeSecret } from './secrets.ts'

type Db = Kysely<unknown>

/** Sets a user's password if it complies with the policy. `field` names the field in the error. */
export async function setPassword(db: Db, userId: number, field: string, password: string): Promise<void> {
  const faults = brokenRules(await readAccountPolicy(db), field, password)
  if (faults.length > 0) throw badRequest(faults)
  const hash = await hashPassword(password)
  await sql`update users set password = ${hash}, must_change_password = false where id = ${userId}`.execute(db)
}

/** A single-use secret for setting a user's password. */
export interface PasswordReset {
  readonly user: number
  readonly secret: string
  readonly expires_at: string
}

/** Creates password reset secrets for these users and invalidates earlier ones. */
export async function createPasswordResets(db: Db, userIds: readonly number[]): Promise<PasswordReset[]> {
  const { password_reset_link_expiry_in_seconds: seconds } = await readAccountPolicy(db)
  const secrets = new Map(userIds.map((user) => [user, makeSecret()]))
  const hashes = [...secrets.values()].map(hashSecret)
  await sql`delete from password_resets where user_id = any(${userIds}::integer[])`.execute(db)
  const { rows } = await sql<{ user: number; expires_at: string }>`
    insert into password_resets (hash, user_id, expires_at)
    select hash, user_id, now() + make_interval(secs => ${seconds})
    from unnest(${hashes}::bytea[], ${[...secrets.keys()]}::integer[]) as i(hash, user_id)
    returning user_id as "user", expires_at`.execute(db)
  return rows.map(({ user, expires_at }) => ({ user, expires_at, secret: secrets.get(user) ?? '' }))
}

/** Returns the user whose password the secret may set. The secret is consumed when the transaction commits. */
export async function redeemPasswordReset(db: Db, secret: string): Promise<number> {
  const { rows } = await sql<{ user_id: number }>`
    delete from password_resets
    where hash = ${hashSecret(secret)} and expires_at > now()
    returning user_id`.execute(db)
  if (!rows[0]) throw badRequest('token: the link has already been used, has expired or never existed')
  return rows[0].user_id
}

/**
 * Starts the set-up of a second factor. It takes effect only after a code proves that the authenticator app has the
 * secret.
 */
export async function startTwoFactor({ db, vault, caller }: Context): Promise<{ secret: string; username: string }> {
  const secret = makeTotpSecret()
  const { rows } = await sql<{ username: string }>`
    update users set totp_pending = ${vault.seal(secret)}
    where id = ${caller.id} and totp_secret is null
    returning username`.execute(db)
  if (!rows[0]) throw conflict('A second factor is already set up. Remove it first.')
  return { secret, username: rows[0].username }
}

/** Completes the set-up of a second factor with its first code, and returns the recovery codes. */
export async function confirmTwoFactor({ db, vault, caller }: Context, code: string): Promise<string[]> {
  const { rows } = await sql<{ totp_pending: string | null }>`
    select totp_pending from users where id = ${caller.id} for update`.execute(db)
  const pending = rows[0]?.totp_pending
  if (!pending) throw conflict('No second factor is being set up. Start the set-up first.')
  const step = stepOf(vault.open(pending), code.replaceAll(' ', ''))
  if (step === undefined) throw badRequest('code: is wrong')
  await sql`
    update users set totp_secret = totp_pending, totp_pending = null, totp_last_step = ${step}
    where id = ${caller.id}`.execute(db)
  return renewRecoveryCodes(db, caller.id)
}

/** Replaces a user's recovery codes. */
export async function renewRecoveryCodes(db: Db, userId: number): Promise<string[]> {
  const { codes, hashes } = makeRecoveryCodes()
  const { rows } = await sql`
    update users set recovery_codes = ${hashes}
    where id = ${userId} and totp_secret is not null
    returning id`.execute(db)
  if (rows.length === 0) throw conflict('Recovery codes require a second factor, but none is set up.')
  return codes
}

/** Removes a user's second factor. */
export async function removeTwoFactor(db: Db, userId: number): Promise<void> {
  await sql`
    update users set totp_secret = null, totp_pending = null, totp_last_step = null, recovery_codes = '{}'
    where id = ${userId}`.execute(db)
}
