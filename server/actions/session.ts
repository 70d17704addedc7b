import { sql } from 'kysely'
import { z } from 'zod'
import { limitsOf, type SignedIn, sessionOf } from '../auth/callers.ts'
import { LONGEST_PASSWORD } from '../auth/passwords.ts'
import { prove } from '../auth/proof.ts'
import { createSession, csrfTokenOf, endSession, sessionCookie } from '../auth/sessions.ts'
import { defineAction } from '../engine/action.ts'
import { unauthorized } from '../engine/errors.ts'
import { toUrl } from '../engine/reference.ts'
import type { Context } from '../engine/resource.ts'
import type { Route } from '../engine/route.ts'
import { readAccountPolicy } from '../settings/account-policy.ts'
import { serverSetting } from '../settings/server.ts'
import { readSetting } from '../settings/setting.ts'

const about = { tag: 'session', path: '/session' }

const password = z.string().max(LONGEST_PASSWORD)

/** A password and, where the account has a second factor, a code of it or a recovery code. */
export const proof = z.object({ password, code: z.string().max(100).optional() })

const session = z.object({
  user: z.url(),
  csrf_token: z.string().nullable().describe('To send in the header X-CSRF-Token with every write.'),
  expires_at: z.string().nullable(),
  limits: z.array(z.enum(['must_change_password', 'must_set_up_two_factor'])),
})

const refusals = {
  // One sentence for every reason: an answer must not tell which accounts exist, or which are locked.
  wrong: 'The username, the password or the code is wrong, or the account is locked.',
  'code needed': 'A code of the second factor is needed.',
}

const signIn = defineAction({
  ...about,
  name: 'sign_in',
  doc: 'Sign in: begin a browser session',
  method: 'POST',
  permission: 'public',
  // Checking a password takes long: a flood of sign-ins must not take the connections of everybody else.
  isDetached: true,
  body: proof.extend({ username: z.string().max(500) }),
  example: { username: 'ada', password: 'correct horse battery staple', code: '123456' },
  result: session,
  refusals: [401, 429],
  run: async (ctx, { username, ...given }, { address, headers }) => {
    const proven = await prove(ctx, sql`username = ${username}`, given)
    if ('refused' in proven) return proven
    const [policy, server] = await Promise.all([readAccountPolicy(ctx.db), readSetting(ctx.db, serverSetting)])
    const { account } = proven
    const lifetime = server.jwt_expiration_delta
    const browser = { address, userAgent: String(headers['user-agent'] ?? '') }
    const begun = await createSession(ctx.db, account.id, lifetime, browser)
    return { ...begun, lifetime, user: account.id, limits: limitsOf(account, policy.two_factor_authn_enforced) }
  },
  // The refusal waits until the failure is counted for good: thrown any earlier, it would undo the count.
  answer: (made, ctx) => {
    if ('refused' in made) throw unauthorized(refusals[made.refused])
    const { secret, lifetime, expires_at, limits } = made
    const user = toUrl(ctx.baseUrl, 'users', made.user)
    return {
      status: 200,
      callerId: made.user,
      body: { data: { user, csrf_token: csrfTokenOf(secret), expires_at, limits } },
      headers: { 'set-cookie': sessionCookie(ctx.baseUrl, secret, lifetime) },
    }
  },
})

const getSession = defineAction({
  ...about,
  name: 'get_session',
  doc: 'Tell who is signed in',
  method: 'GET',
  permission: null,
  result: session,
  run: async (ctx: Context) => {
    const { id, session } = ctx.caller as SignedIn
    const user = toUrl(ctx.baseUrl, 'users', id)
    const { csrfToken = null, expires_at = null, limits = [] } = session ?? {}
    return { user, csrf_token: csrfToken, expires_at, limits }
  },
})

const signOut = defineAction({
  ...about,
  name: 'sign_out',
  doc: 'Sign out: end this browser session',
  method: 'DELETE',
  permission: null,
  refusals: [403],
  run: (ctx: Context) => endSession(ctx.db, sessionOf(ctx).id),
  answer: (_, ctx) => ({ status: 204, headers: { 'set-cookie': sessionCookie(ctx.baseUrl, '', 0) } }),
})

/** Signing in and out of a browser. */
export const sessionRoutes: readonly Route[] = [signIn, getSession, signOut]
