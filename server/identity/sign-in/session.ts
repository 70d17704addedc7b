import { sql } from 'kysely'
import { z } from 'zod'
import { defineAction } from '../../engine/action.ts'
import { forbidden, unauthorized } from '../../engine/errors.ts'
import { toUrl } from '../../engine/reference.ts'
import type { Context } from '../../engine/resource.ts'
import type { Answer, Route } from '../../engine/route.ts'
import { type SignedIn, sessionOf } from '../access/callers.ts'
import { PASSWORD_LIMIT, refuseFlood } from '../access/rate-limits.ts'
import { type Begun, beginSession } from './begin-session.ts'
import { LONGEST_PASSWORD } from './passwords.ts'
import { prove } from './proof.ts'
import { csrfTokenOf, endSession, sessionCookie } from './sessions.ts'
import { waysToSignIn } from './ways.ts'

const about = { tag: 'session', path: '/session' }

const password = z.string().max(LONGEST_PASSWORD)

/** A password and, where the account has a second factor, a code of it or a recovery code. */
export const proof = z.object({ password, code: z.string().max(100).optional() })

/** A session as it is told to its browser. */
export const session = z.object({
  user: z.url(),
  csrf_token: z.string().nullable().describe('To send in the header X-CSRF-Token with every write.'),
  expires_at: z.string().nullable(),
  limits: z.array(z.enum(['must_change_password', 'must_set_up_two_factor', 'must_give_code'])),
  sign_out_url: z
    .url()
    .nullable()
    .describe('Where the browser may go after signing out here, to sign out at the identity provider too.'),
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
  refusals: [401, 403, 429],
  run: async (ctx, { username, ...given }, request) => {
    refuseFlood(ctx, PASSWORD_LIMIT, request)
    if (!(await waysToSignIn(ctx)).hasPasswords) {
      throw forbidden('Passwords are switched off here: sign in through an identity provider.')
    }
    const proven = await prove(ctx, sql`username = ${username}`, given)
    return 'refused' in proven ? proven : beginSession(ctx, proven.account, request)
  },
  // The refusal waits until the failure is counted for good: thrown any earlier, it would undo the count.
  answer: (made, ctx) => {
    if ('refused' in made) throw unauthorized(refusals[made.refused])
    return welcome(made, ctx)
  },
})

/** The answer to who has just signed in. */
export function welcome({ user, secret, lifetime, expires_at, limits }: Begun, { baseUrl }: Context): Answer {
  const url = toUrl(baseUrl, 'users', user)
  const data = { user: url, csrf_token: csrfTokenOf(secret), expires_at, limits, sign_out_url: null }
  const headers = { 'set-cookie': sessionCookie(baseUrl, secret, lifetime) }
  return { status: 200, callerId: user, body: { data }, headers }
}

const getSession = defineAction({
  ...about,
  name: 'get_session',
  doc: 'Tell who is signed in',
  method: 'GET',
  liftsLimits: true,
  permission: null,
  result: session.extend({ permissions: z.array(z.string()).describe('What the user may do, by name.') }),
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
  doc: 'Sign out: end this browser session',
  method: 'DELETE',
  changesCallers: true,
  liftsLimits: true,
  permission: null,
  refusals: [403],
  run: (ctx: Context) => endSession(ctx.db, sessionOf(ctx).id),
  answer: (_, ctx) => ({ status: 204, headers: { 'set-cookie': sessionCookie(ctx.baseUrl, '', 0) } }),
})

/** Signing in and out of a browser. */
export const sessionRoutes: readonly Route[] = [signIn, getSession, signOut]
