import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/resource.ts'
import { type AccountPolicy, readAccountPolicy } from './account-policy.ts'
import { verifyPassword } from './passwords.ts'
import { type Factor, readFactor } from './totp.ts'

/** What somebody gives to prove who they are. */
export interface Proof {
  readonly password: string
  /** From the authenticator app, or a recovery code. */
  readonly code?: string | undefined
}

/** Who it is, or why not; `wrong` says no more, so that nobody learns which accounts exist or are locked. */
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
 * Checks a password, and the code where the account has a second factor and `withCode` asks for it. Failures count towards
 * the lockout: callers must let the transaction commit, and refuse only then. Whether a guess was right shows only
 * through a statement that also asks whether the account is still open, so guessing in parallel gives no extra tries.
 */
export async function prove(ctx: Part, who: RawBuilder<SqlBool>, proof: Proof, withCode = true): Promise<Proven> {
  const policy = await readAccountPolicy(ctx.db)
  const account = await load(ctx, who)
  const isRight = await verifyPassword(account?.password, proof.password)
  // A closed account goes the same way whether the password is right or not, so that time tells nothing of it either.
  if (!account?.is_open || !isRight) return refuse(ctx, policy, account?.id ?? 0, 'password')

  const needsCode = withCode && account.totp_secret !== null
  if (needsCode && !proof.code) {
    return (await settle(ctx, account, undefined))
      ? { refused: 'code needed' }
      : refuse(ctx, policy, account.id, 'code')
  }
  const factor = needsCode ? readCode(ctx, account, proof.code ?? '') : undefined
  if (needsCode && !factor) return refuse(ctx, policy, account.id, 'code')
  if (!(await settle(ctx, account, factor, { isWhole: true }))) return refuse(ctx, policy, account.id, 'code')
  return { account }
}

/** Checks a code alone, of somebody who has proven elsewhere who they are. Failures count in the same way. */
export async function proveCode(ctx: Part, id: number, code: string): Promise<Proven> {
  const policy = await readAccountPolicy(ctx.db)
  const account = await load(ctx, sql`id = ${id}`)
  const factor = account?.is_open && account.totp_secret !== null ? readCode(ctx, account, code) : undefined
  if (!account || !factor || !(await settle(ctx, account, factor, { isWhole: true }))) {
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

/** Whether somebody can sign in as a user at all. */
export const IS_OPEN = sql<SqlBool>`is_active and not is_locked and coalesce(suspended_until <= now(), true)`

/** Uses the code up and forgets the failures; false when the account is closed by now, or the code was used before. */
async function settle(
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
 * Counts a failure, and closes the account when it was the last one allowed. The same statement runs when there is no
 * such account, and none waits for the disk: otherwise the time of the answer would tell which accounts exist.
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
