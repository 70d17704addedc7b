import { fastifyCookie } from '@fastify/cookie'
import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { refusal } from '../../engine/errors.ts'
import type { Incoming } from '../../engine/route.ts'
import { hashSecret } from '../access/secrets.ts'
import { SignInFault } from '../openid/fault.ts'
import { FLOW_COOKIE, type Flow, takeFlow } from '../openid/flows.ts'
import { type IdentityProvider, loadProvider } from '../openid/providers.ts'
import { exchange, type ProvenIdentity } from '../openid/sign-in.ts'
import { beginSession, type NewSession } from '../sign-in/begin-session.ts'
import { COOKIE } from '../sign-in/sessions.ts'
import { accountOf, link, ownerOf } from './account.ts'
import { applyMappings } from './memberships.ts'

/** The outcome of a sign-in. */
export interface Outcome {
  readonly begun?: NewSession
  readonly fault?: SignInFault
  /** Where the browser continues; by default the sign-in page. */
  readonly returnTo?: string
}

/** Handles a browser that returns from the provider, for both success and failure. */
export async function finish(ctx: Context, request: Incoming): Promise<Outcome> {
  const cookies = fastifyCookie.parse(String(request.headers.cookie ?? ''))
  const state = request.query.state?.[0] ?? ''
  const flow = await takeFlow(ctx, state, cookies[FLOW_COOKIE] ?? '')
  if (!flow)
    return { fault: new SignInFault('expired', 'This browser started no such sign-in, or the sign-in has expired.') }
  const isLinking = flow.sessionId !== null
  try {
    const provider = await loadProvider(ctx, flow.provider)
    if (!provider?.is_enabled)
      throw new SignInFault('expired', 'The identity provider has been disabled in the meantime.')
    const proven = await exchange(ctx, provider, queryOf(request), flow)
    if (isLinking) await linkTo(ctx, flow, cookies[COOKIE] ?? '', proven)
    const begun = isLinking ? undefined : await signIn(ctx, provider, proven, request)
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

/** Begins a session for the user of an identity, with the groups and roles that its claims grant. */
async function signIn(
  ctx: Context,
  provider: IdentityProvider,
  proven: ProvenIdentity,
  request: Incoming,
  isAgain = false,
): Promise<NewSession> {
  const { claims, hasSecondFactor, signOutUrl } = proven
  try {
    return await ctx.db.transaction().execute(async (db) => {
      const inside = { ...ctx, db, lookup: undefined }
      const account = await accountOf(inside, provider, proven)
      await applyMappings(inside, provider, account.id, claims)
      return beginSession(inside, account, request, {
        identity: account.identity,
        secondFactor: hasSecondFactor ? 'provider' : 'missing',
        signOutUrl: signOutUrl === null ? null : ctx.vault.seal(signOutUrl),
      })
    })
  } catch (error) {
    if (refusal(error)?.status !== 409) throw error
    if (isAgain) throw new SignInFault('username_taken', 'The username of this identity is already taken.')
    // The same user may be signing in for the first time in another window.
    return signIn(ctx, provider, proven, request, true)
  }
}

/** Links the identity to the user whose session requested it, if the browser still has that session. */
async function linkTo(ctx: Context, { sessionId }: Flow, secret: string, proven: ProvenIdentity): Promise<void> {
  const { rows } = await sql<{ user: number }>`
    select s.user_id as "user"
    from sessions as s join users as u on u.id = s.user_id
    where s.id = ${sessionId} and s.hash = ${hashSecret(secret)} and s.expires_at > now() and u.is_active`.execute(
    ctx.db,
  )
  const user = rows[0]?.user
  if (user === undefined) throw new SignInFault('expired', 'The session that requested this link has ended.')
  const caller = { ...ctx.caller, id: user }
  try {
    await ctx.db.transaction().execute((db) => link({ ...ctx, db, lookup: undefined, caller }, user, proven))
  } catch (error) {
    if (refusal(error)?.status !== 409) throw error
    if ((await ownerOf(ctx, proven)) !== user) {
      throw new SignInFault('already_linked', 'This identity is linked to another account.')
    }
  }
}
