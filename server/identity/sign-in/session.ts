import { sql } from 'kysely'
import { z } from 'zod'
import { CODE_NEEDED } from '../../domain/second-factor.ts'
import { defineAction } from '../../engine/action.ts'
import type { Context } from '../../engine/context.ts'
import { ApiError, forbidden, unauthorized } from '../../engine/errors.ts'
import { toUrl } from '../../engine/reference.ts'
import type { Answer, Route } from '../../engine/route.ts'
import { type SignedIn, sessionOf } from '../access/callers.ts'
import { PASSWORD_LIMIT, refuseFlood } from '../access/rate-limits.ts'
import { beginSession, type NewSession } from './begin-session.ts'
import { MAX_PASSWORD_LENGTH } from './passwords.ts'
import { prove } from './proof.ts'
import { csrfTokenOf, endSession, sessionCookie } from './sessions.ts'
import { signInMethods } from './ways.ts'

const about = { tag: 'session', path: '/session' }

const password = z.string().max(MAX_PASSWORD_LENGTH)

/** A password and, if the account has a second factor, a code or recovery code. */
export const proof = z.object({ password, code: z.string().max(100).optional() })

/** A session as returned to its browser. */
export const session = z.object({
  user: z.url(),
  csrf_token: z.string().nullable().describe('Send it in the X-CSRF-Token header with every write.'),
  expires_at: z.string().nullable(),
  limits: z.array(z.enum(['must_change_password', 'must_set_up_two_factor', 'must_give_code'])),
  sign_out_url: z
    .url()
    .nullable()
    .describe('Where to send the browser after signing out, to sign out at the identity provider too.'),
})

const refusals = {
  // One message for every reason, so that the response does not reveal which accounts exist or are locked.
  wrong: () => unauthorized('The username, password or code is wrong, or the account is locked.'),
  'code needed': () => new ApiError(401, 'Enter the code of your second factor.', { title: CODE_NEEDED }),
}

const signIn = defineAction({
  ...about,
  name: 'sign_in',
  doc: 'Sign in and begin a browser session',
  method: 'POST',
  permission: 'public',
  // Checking a password is slow: a flood of sign-ins must not occupy the connections that other requests need.
  isDetached: true,
  body: proof.extend({ username: z.string().max(500) }),
  example: { username: 'ada', password: 'correct horse battery staple', code: '123456' },
  result: session,
  refusals: [401, 403, 429],
  run: async (ctx, { username, ...given }, request) => {
    refuseFlood(ctx, PASSWORD_LIMIT, request)
    if (!(await signInMethods(ctx)).hasPasswords) {
      throw forbidden('Password sign-in is disabled. Sign in through an identity provider.')
    }
    const proven = await prove(ctx, sql`username = ${username}`, given)
    return 'refused' in proven ? proven : beginSession(ctx, proven.account, request)
  },
  // The refusal is sent after the commit: throwing earlier would roll back the failure count.
  answer: (made, ctx) => {
    if ('refused' in made) throw refusals[made.refused]()
    return signedInAnswer(made, ctx)
  },
})

/** The response to a successful sign-in. */
export function signedInAnswer(
  { user, secret, lifetime, expires_at, limits }: NewSession,
  { baseUrl }: Context,
): Answer {
  const url = toUrl(baseUrl, 'users', user)
  const data = { user: url, csrf_token: csrfTokenOf(secret), expires_at, limits, sign_out_url: null }
  const headers = { 'set-cookie': sessionCookie(baseUrl, secret, lifetime) }
  return { status: 200, callerId: user, body: { data }, headers }
}

const getSession = defineAction({
  ...about,
  name: 'get_session',
  doc: 'Get the current session',
  method: 'GET',
  liftsLimits: true,
  permission: null,
  result: session.extend({ permissions: z.array(z.string()).describe("The names of the user's permissions.") }),
  run: async (ctx: Context) => {
    const { id, session } = ctx.caller as SignedIn
    const user = toUrl(ctx.baseUrl, 'users', id)
    const { csrfToken = null, expires_at = null, limits = [] } = session ?? {}
    const sign_out_url = session ? await signOutUrlOf(ctx, session.id) : null
    const permissions = [...ctx.caller.permissions].sort()
    return { user, csrf_token: csrfToken, expires_at, limits, sign_out_url, permissions }
  },
})

async function signOutUrlOf({ db, vault }: Context, id: number): Promise<string | null> {
  const { rows } = await sql<{ url: string | null }>`
    select sign_out_url as url from sessions where id = ${id}`.execute(db)
  return rows[0]?.url ? vault.open(rows[0].url) : null
}

const signOut = defineAction({
  ...about,
  name: 'sign_out',
  doc: 'Sign out and end this browser session',
  method: 'DELETE',
  changesCallers: true,
  liftsLimits: true,
  permission: null,
  refusals: [403],
  run: (ctx: Context) => endSession(ctx.db, sessionOf(ctx).id),
  answer: (_, ctx) => ({ status: 204, headers: { 'set-cookie': sessionCookie(ctx.baseUrl, '', 0) } }),
})

/** Signing in and out with a browser. */
export const sessionRoutes: readonly Route[] = [signIn, getSession, signOut]
