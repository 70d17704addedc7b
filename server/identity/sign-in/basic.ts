import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { forbidden, unauthorized } from '../../engine/errors.ts'
import { asUser } from '../access/as-user.ts'
import { type Credential, LIMITS, limitsOf } from '../access/callers.ts'
import { readAccountPolicy } from './account-policy.ts'
import { MAX_PASSWORD_LENGTH } from './passwords.ts'
import { prove } from './proof.ts'
import { signInMethods } from './ways.ts'

/** The credentials of HTTP Basic. */
export interface BasicCredentials {
  readonly username: string
  readonly password: string
}

const MAX_USERNAME_LENGTH = 500

/** Reads the HTTP Basic header. Returns undefined for other schemes; a malformed header is a 401. */
export function readBasic(header: string | undefined): BasicCredentials | undefined {
  if (!/^basic( |$)/i.test(header?.trim() ?? '')) return undefined
  const [, encoded = ''] = /^basic +([\w+/-]+={0,2})$/i.exec(header?.trim() ?? '') ?? []
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  const [username, password] = [text.slice(0, colon), text.slice(colon + 1)]
  const isLong = username.length > MAX_USERNAME_LENGTH || password.length > MAX_PASSWORD_LENGTH
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the standard forbids them
  if (colon < 1 || isLong || /[\u0000-\u001f\u007f]/.test(text)) throw unauthorized()
  return { username, password }
}

/**
 * Finds the user for a password sent with a request. The check is the same as at sign-in, including lockout and
 * timing, but no session begins. Users who must complete another step first are refused.
 */
export async function findByPassword(
  ctx: Pick<Context, 'db' | 'vault' | 'proxyUserHeader'>,
  { username, password }: BasicCredentials,
): Promise<Credential> {
  if (!(await signInMethods(ctx)).hasPasswords) {
    throw unauthorized('Password sign-in is disabled. Send an API token in place of the password.')
  }
  const proven = await prove(ctx, sql`username = ${username}`, { password })
  if ('refused' in proven) throw unauthorized(REFUSALS[proven.refused])
  const { two_factor_authn_enforced: isEnforced } = await readAccountPolicy(ctx.db)
  const limits = limitsOf(proven.account, isEnforced)
  if (limits.length > 0) throw forbidden(limits.map((limit) => LIMITS[limit]).join(' '))
  const user = await asUser(ctx, proven.account.id)
  if (!user) throw unauthorized()
  return {
    kind: 'password',
    id: user.id,
    username,
    caller: { ...user, session: null },
    expiresAt: Number.POSITIVE_INFINITY,
    idleTimeout: Number.POSITIVE_INFINITY,
    lastUsedAt: 0,
    notedAt: 0,
  }
}

const REFUSALS = {
  // One message for every reason, so that the response does not reveal which accounts exist or are locked.
  wrong: 'The username or password is wrong, or the account is locked.',
  'code needed': 'The account has a second factor. Send an API token in place of the password.',
}
