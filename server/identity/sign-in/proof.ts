import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { type AccountPolicy, readAccountPolicy } from './account-policy.ts'
import { verifyPassword } from './passwords.ts'
import { type Factor, readFactor } from './totp.ts'

/** The credentials that a user presents. */
export interface Proof {
  readonly password: string
  /** A code of the authenticator app, or a recovery code. */
  readonly code?: string | undefined
}

/**
 * The proven account, or why the proof was refused. `wrong` gives no further reason, so that it does not reveal which
 * accounts exist or are locked.
 */
export type Proven = { readonly account: Account } | { readonly refused: 'wrong' | 'code needed' }

export interface Account {
  readonly id: number
  readonly must_change_password: boolean
  readonly has_two_factor: boolean
}

interface Stored extends Account {
  readonly is_open: boolean
  readonly password: string | null
  readonly totp_secret: string | null
  readonly recovery_codes: string[]
}

type Part = Pick<Context, 'db' | 'vault'>

/**
 * Checks a password, and the code if the account has a second factor and `withCode` is set. Failures count towards
 * the lockout, so callers must let the transaction commit before they refuse the request. The statement that confirms
 * a guess also checks that the account is still open, so that parallel guesses gain no extra attempts.
 */
export async function prove(ctx: Part, who: RawBuilder<SqlBool>, proof: Proof, withCode = true): Promise<Proven> {
  const policy = await readAccountPolicy(ctx.db)
  const account = await load(ctx, who)
  const isRight = await verifyPassword(account?.password, proof.password)
  // A closed account takes the same path whether or not the password is right, so that timing reveals nothing.
  if (!account?.is_open || !isRight) return refuse(ctx, policy, account?.id ?? 0, 'password')

  const needsCode = withCode && account.totp_secret !== null
  if (needsCode && !proof.code) {
    return (await consumeFactor(ctx, account, undefined))
      ? { refused: 'code needed' }
      : refuse(ctx, policy, account.id, 'code')
  }
  const factor = needsCode ? readCode(ctx, account, proof.code ?? '') : undefined
  if (needsCode && !factor) return refuse(ctx, policy, account.id, 'code')
  if (!(await consumeFactor(ctx, account, factor, { isWhole: true }))) return refuse(ctx, policy, account.id, 'code')
  return { account }
}

/** Checks only a code, for a user whose identity is already proven. Failures count in the same way. */
export async function proveCode(ctx: Part, id: number, code: string): Promise<Proven> {
  const policy = await readAccountPolicy(ctx.db)
  const account = await load(ctx, sql`id = ${id}`)
  const factor = account?.is_open && account.totp_secret !== null ? readCode(ctx, account, code) : undefined
  if (!account || !factor || !(await consumeFactor(ctx, account, factor, { isWhole: true }))) {
    return refuse(ctx, policy, id, 'code')
  }
  return { account }
}

async function load({ db }: Part, who: RawBuilder<SqlBool>): Promise<Stored | undefined> {
  const { rows } = await sql<Stored>`
    select id, password, must_change_password, totp_secret is not null as has_two_factor, totp_secret, recovery_codes,
      ${IS_OPEN} as is_open
    from users
    where ${who}`.execute(db)
  return rows[0]
}

const readCode = ({ vault }: Part, { totp_secret, recovery_codes }: Stored, code: string): Factor | undefined =>
  readFactor(vault.open(totp_secret ?? ''), recovery_codes, code)

/** Whether the user can sign in at all. */
export const IS_OPEN = sql<SqlBool>`is_active and not is_locked and coalesce(suspended_until <= now(), true)`

/**
 * Consumes the code and clears the failures. Returns false if the account has been closed or the code was already
 * used.
 */
async function consumeFactor(
  ctx: Part,
  account: Stored,
  factor: Factor | undefined,
  { isWhole = false } = {},
): Promise<boolean> {
  const step = factor && 'step' in factor ? factor.step : null
  const recoveryCode = factor && 'recoveryCode' in factor ? factor.recoveryCode : null
  const { rows } = await sql`
    update users
    set failed_attempts = case when ${isWhole} then 0 else failed_attempts end,
      totp_last_step = coalesce(${step}::bigint, totp_last_step),
      recovery_codes = array_remove(recovery_codes, ${recoveryCode}::text)
    where id = ${account.id} and ${IS_OPEN}
      and password is not distinct from ${account.password}
      and coalesce(${step}::bigint > totp_last_step, true)
      and (${recoveryCode}::text is null or ${recoveryCode}::text = any(recovery_codes))
    returning id`.execute(ctx.db)
  return rows.length > 0
}

/**
 * Counts a failure, and closes the account at the limit. The same statement runs for unknown accounts, and none waits
 * for the disk: otherwise response times would reveal which accounts exist.
 */
async function refuse(ctx: Part, policy: AccountPolicy, id: number, wrong: 'password' | 'code'): Promise<Proven> {
  const { lockout_attempts: allowed, two_factor_suspension_min: minutes } = policy
  const isLast = sql`(${allowed}::integer > 0 and failed_attempts + 1 >= ${allowed}::integer)`
  const suspends = wrong === 'code' && minutes > 0
  await sql`
    update users
    set failed_attempts = case when ${isLast} then 0 else failed_attempts + 1 end,
      is_locked = is_locked or (${isLast} and not ${suspends}::boolean),
      suspended_until = case
        when ${isLast} and ${suspends}::boolean then now() + make_interval(mins => ${minutes})
        else suspended_until
      end
    from (select set_config('synchronous_commit', 'off', true)) as hasty
    where id = ${id} and ${IS_OPEN}`.execute(ctx.db)
  return { refused: 'wrong' }
}
