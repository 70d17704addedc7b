import { fastifyCookie } from '@fastify/cookie'
import { sql } from 'kysely'
import { refusal } from '../../engine/errors.ts'
import type { Context } from '../../engine/resource.ts'
import type { Incoming } from '../../engine/route.ts'
import { hashSecret } from '../access/secrets.ts'
import { SignInFault } from '../openid/fault.ts'
import { FLOW_COOKIE, type Flow, takeUpFlow } from '../openid/flows.ts'
import { type IdentityProvider, loadProvider } from '../openid/providers.ts'
import { exchange, type Vouched } from '../openid/sign-in.ts'
import { type Begun, beginSession } from '../sign-in/begin-session.ts'
import { COOKIE } from '../sign-in/sessions.ts'
import { accountOf, link, ownerOf } from './account.ts'
import { applyMappings } from './memberships.ts'

/** How a sign-in ended. */
export interface Outcome {
  readonly begun?: Begun
  readonly fault?: SignInFault
  /** Where the browser goes on; the sign-in page unless said. */
  readonly returnTo?: string
}

/** Ends what a browser began: it comes back from the provider, whatever happened there. */
export async function finish(ctx: Context, request: Incoming): Promise<Outcome> {
  const cookies = fastifyCookie.parse(String(request.headers.cookie ?? ''))
  const state = request.query.state?.[0] ?? ''
  const flow = await takeUpFlow(ctx, state, cookies[FLOW_COOKIE] ?? '')
  if (!flow) return { fault: new SignInFault('expired', 'This browser began no such sign-in, or too long ago.') }
  const isLinking = flow.sessionId !== null
  try {
    const provider = await loadProvider(ctx, flow.provider)
    if (!provider?.is_enabled) throw new SignInFault('expired', 'The identity provider was switched off meanwhile.')
    const vouched = await exchange(ctx, provider, queryOf(request), flow)
    if (isLinking) await linkTo(ctx, flow, cookies[COOKIE] ?? '', vouched)
    const begun = isLinking ? undefined : await signIn(ctx, provider, vouched, request)
    return { returnTo: flow.returnTo, ...(begun && { begun }) }
  } catch (error) {
    if (!(error instanceof SignInFault)) throw error
    return { fault: error, ...(isLinking && { returnTo: flow.returnTo }) }
  }
}

const queryOf = ({ query }: Incoming): URLSearchParams =>
  new URLSearchParams(
    Object.entries(query).flatMap(([name, values]) => values.map((value): [string, string] => [name, value])),
  )

/** Begins the session of somebody whom a provider vouches for, with the groups and roles that follow from it. */
async function signIn(
  ctx: Context,
  provider: IdentityProvider,
  vouched: Vouched,
  request: Incoming,
  isAgain = false,
): Promise<Begun> {
  const { claims, hasSecondFactor, signOutUrl } = vouched
  try {
    return await ctx.db.transaction().execute(async (db) => {
      const inside = { ...ctx, db, lookup: undefined }
      const account = await accountOf(inside, provider, vouched)
      await applyMappings(inside, provider, account.id, claims)
      return beginSession(inside, account, request, {
        identity: account.identity,
        secondFactor: hasSecondFactor ? 'provider' : 'missing',
        signOutUrl: signOutUrl === null ? null : ctx.vault.seal(signOutUrl),
      })
    })
  } catch (error) {
    if (refusal(error)?.status !== 409) throw error
    if (isAgain) throw new SignInFault('username_taken', 'Somebody else has the username of this identity.')
    // The same person may be signing in for the first time in another window.
    return signIn(ctx, provider, vouched, request, true)
  }
}

/** Ties the identity to the user whose session asked for it, if the same browser still has that session. */
async function linkTo(ctx: Context, { sessionId }: Flow, secret: string, vouched: Vouched): Promise<void> {
  const { rows } = await sql<{ user: number }>`
    select s.user_id as "user"
    from sessions as s join users as u on u.id = s.user_id
    where s.id = ${sessionId} and s.hash = ${hashSecret(secret)} and s.expires_at > now() and u.is_active`.execute(
    ctx.db,
  )
  const user = rows[0]?.user
  if (user === undefined) throw new SignInFault('expired', 'The session that asked for this is over.')
  const caller = { ...ctx.caller, id: user }
  try {
    await ctx.db.transaction().execute((db) => link({ ...ctx, db, lookup: undefined, caller }, user, vouched))
  } catch (error) {
    if (refusal(error)?.status !== 409) throw error
    if ((await ownerOf(ctx, vouched)) !== user) {
      throw new SignInFault('already_linked', 'This identity belongs to another account.')
    }
  }
}
