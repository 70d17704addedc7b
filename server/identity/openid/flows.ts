import { fastifyCookie } from '@fastify/cookie'
import { sql } from 'kysely'
import { randomNonce, randomPKCECodeVerifier } from 'openid-client'
import type { Context } from '../../engine/context.ts'
import { hashSecret, makeSecret } from '../access/secrets.ts'

/** The cookie of a browser that is signing in through a provider. */
export const FLOW_COOKIE = 'corvus_sign_in'

const LIFETIME = 600

/** A sign-in in progress at a provider. */
export interface Flow {
  readonly provider: number
  readonly returnTo: string
  /** The session of a user who is linking an identity; null for a sign-in. */
  readonly sessionId: number | null
  readonly nonce: string
  readonly verifier: string
}

type Part = Pick<Context, 'db' | 'vault'>

/** Starts a sign-in. Returns the parameters for the provider and the secret that only this browser receives. */
export async function beginFlow(
  { db, vault }: Part,
  { provider, returnTo, sessionId }: Pick<Flow, 'provider' | 'returnTo' | 'sessionId'>,
): Promise<Flow & { state: string; browser: string }> {
  const [state, browser] = [makeSecret(), makeSecret()]
  const secrets = { nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
  await sql`
    with cleared as (delete from sign_in_flows where expires_at < now())
    insert into sign_in_flows (state, browser, identity_provider, secrets, return_to, session_id, expires_at)
    values (${hashSecret(state)}, ${hashSecret(browser)}, ${provider}, ${vault.seal(JSON.stringify(secrets))}, ${returnTo},
      ${sessionId}, now() + make_interval(secs => ${LIFETIME}))`.execute(db)
  return { provider, returnTo, sessionId, state, browser, ...secrets }
}

/** Takes the pending sign-in that this browser started with this state. It can be taken only once. */
export async function takeFlow({ db, vault }: Part, state: string, browser: string): Promise<Flow | undefined> {
  const { rows } = await sql<Omit<Flow, 'nonce' | 'verifier'> & { secrets: string; is_open: boolean }>`
    delete from sign_in_flows
    where state = ${hashSecret(state)} and browser = ${hashSecret(browser)}
    returning identity_provider as provider, return_to as "returnTo", session_id as "sessionId", secrets,
      expires_at > now() as is_open`.execute(db)
  const [found] = rows
  if (!found?.is_open) return undefined
  const { provider, returnTo, sessionId, secrets } = found
  return { provider, returnTo, sessionId, ...JSON.parse(vault.open(secrets)) }
}

/** Builds the cookie that binds a browser to its sign-in. The browser sends it to the callback and nowhere else. */
export const flowCookie = ({ baseUrl }: Pick<Context, 'baseUrl'>, browser: string): string =>
  fastifyCookie.serialize(FLOW_COOKIE, browser, {
    path: `${new URL(baseUrl).pathname.replace(/\/$/, '')}/api/v2/session/oidc`,
    httpOnly: true,
    sameSite: 'lax',
    secure: baseUrl.startsWith('https:'),
    maxAge: LIFETIME,
  })
