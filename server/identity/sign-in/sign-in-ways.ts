import { sql } from 'kysely'
import { z } from 'zod'
import { defineAction } from '../../engine/action.ts'
import type { Context } from '../../engine/context.ts'
import { unauthorized } from '../../engine/errors.ts'
import { toUrl } from '../../engine/reference.ts'
import type { Route } from '../../engine/route.ts'
import { sessionOf } from '../access/callers.ts'
import { wrongProof } from '../self.ts'
import { beginSession } from './begin-session.ts'
import { type Account, IS_OPEN, proveCode } from './proof.ts'
import { session, signedInAnswer } from './session.ts'
import { recordSecondFactor } from './sessions.ts'
import { signInMethods } from './ways.ts'

const methods = z.object({
  password: z.boolean(),
  proxy: z.boolean().describe('Whether a proxy may name the user at POST /session/proxy.'),
  identity_providers: z.array(
    z.object({
      identity_provider: z.url(),
      name: z.string(),
      start_url: z.url().describe('The URL that starts the sign-in.'),
    }),
  ),
})

const listMethods = defineAction({
  name: 'list_sign_in_methods',
  doc: 'List the available sign-in methods',
  tag: 'session',
  method: 'GET',
  path: '/session/methods',
  permission: 'public',
  result: methods,
  run: async (ctx: Context): Promise<z.output<typeof methods>> => {
    const { hasPasswords, hasProxy, providers } = await signInMethods(ctx)
    return {
      password: hasPasswords,
      proxy: hasProxy,
      identity_providers: providers.map(({ id, name }) => ({
        identity_provider: toUrl(ctx.baseUrl, 'identity_providers', id),
        name,
        start_url: `${ctx.baseUrl}/api/v2/session/oidc/start?identity_provider=${id}`,
      })),
    }
  },
})

const signInByProxy = defineAction({
  name: 'sign_in_by_proxy',
  doc: 'Sign in as the user named by a trusted proxy, and begin a browser session',
  tag: 'session',
  method: 'POST',
  path: '/session/proxy',
  permission: 'public',
  result: session,
  refusals: [401],
  run: async (ctx, _, request) => {
    const username = request.headers[ctx.proxyUserHeader ?? '']
    if (typeof username !== 'string') throw unauthorized('No trusted proxy named a user.')
    const { rows } = await sql<Account>`
      select id, must_change_password, totp_secret is not null as has_two_factor
      from users
      where username = ${username} and ${IS_OPEN}
      for no key update`.execute(ctx.db)
    if (!rows[0]) throw unauthorized('The account does not exist or is locked.')
    return beginSession(ctx, rows[0], request, { isByProxy: true, secondFactor: 'missing' })
  },
  answer: signedInAnswer,
})

const giveCode = defineAction({
  name: 'give_session_code',
  doc: 'Enter the code of the second factor for a session that began elsewhere and still requires it',
  tag: 'session',
  method: 'POST',
  changesCallers: true,
  path: '/session/code',
  liftsLimits: true,
  permission: null,
  body: z.object({ code: z.string().max(100) }),
  example: { code: '123456' },
  refusals: [403],
  run: async (ctx, { code }) => {
    const { id } = sessionOf(ctx)
    const proven = await proveCode(ctx, ctx.caller.id, code)
    if ('account' in proven) await recordSecondFactor(ctx.db, id)
    return proven
  },
  // The refusal is sent after the commit, so that the failure stays counted.
  answer: (proven) => {
    if ('refused' in proven) throw wrongProof()
    return { status: 204 }
  },
})

/** Sign-in methods other than passwords, and their follow-up steps. */
export const signInWayRoutes: readonly Route[] = [listMethods, signInByProxy, giveCode]
