import * as openid from 'openid-client'
import type { Context, Item } from '../../engine/resource.ts'
import { faultOf, SignInFault } from './fault.ts'
import type { Flow } from './flows.ts'
import { recallProvider } from './provider.ts'
import { type IdentityProvider, redirectUri } from './providers.ts'

/** Who somebody is, as a provider vouches for it. */
export interface Vouched {
  readonly issuer: string
  readonly subject: string
  /** Of the token and of the user info; the token decides. */
  readonly claims: Item
  readonly hasSecondFactor: boolean
  /** Where the provider is told that the session is over, if it wants to know. */
  readonly signOutUrl: string | null
}

/** Longer ones do not pass every server on the way. */
const LONGEST_URL = 6000

/** The address at the provider where somebody signs in. */
export async function signInUrl(
  ctx: Context,
  provider: IdentityProvider,
  { state, nonce, verifier }: Pick<Flow, 'nonce' | 'verifier'> & { state: string },
): Promise<string> {
  try {
    const connection = await recallProvider(ctx, provider)
    const { href } = openid.buildAuthorizationUrl(connection, {
      redirect_uri: redirectUri(ctx),
      scope: provider.scopes.join(' '),
      state,
      nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    return href
  } catch (error) {
    throw faultOf(error)
  }
}

/** Exchanges what a provider sent back with the browser for who it is, and checks all of it. */
export async function exchange(
  ctx: Context,
  provider: IdentityProvider,
  query: URLSearchParams,
  { nonce, verifier }: Flow,
): Promise<Vouched> {
  try {
    const connection = await recallProvider(ctx, provider)
    const { end_session_endpoint, userinfo_endpoint } = connection.serverMetadata()
    const tokens = await openid.authorizationCodeGrant(connection, new URL(`${redirectUri(ctx)}?${query}`), {
      expectedState: query.get('state') ?? '',
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
    })
    const token = tokens.claims()
    if (!token) throw new SignInFault('invalid_answer', 'The provider gives no ID token.')
    const more = userinfo_endpoint ? await openid.fetchUserInfo(connection, tokens.access_token, token.sub) : {}
    return {
      issuer: token.iss,
      subject: token.sub,
      claims: { ...more, ...token },
      hasSecondFactor: isSecondFactor(token, provider),
      signOutUrl: end_session_endpoint ? signOutUrl(ctx, connection, tokens.id_token ?? '') : null,
    }
  } catch (error) {
    throw faultOf(error)
  }
}

/** What the token says of how somebody signed in; what else is told of them, they may have chosen themselves. */
function isSecondFactor({ amr, acr }: openid.IDToken, { second_factor_values }: IdentityProvider): boolean {
  const told = [...(Array.isArray(amr) ? amr : []), acr]
  return told.some((value) => second_factor_values.includes(String(value)))
}

/** A provider whose sign-out leads nowhere is still one to sign in through. */
function signOutUrl({ baseUrl }: Context, connection: openid.Configuration, idToken: string): string | null {
  const parameters = { post_logout_redirect_uri: `${baseUrl}/sign-in` }
  try {
    const hinted = openid.buildEndSessionUrl(connection, { ...parameters, id_token_hint: idToken }).href
    return hinted.length <= LONGEST_URL ? hinted : openid.buildEndSessionUrl(connection, parameters).href
  } catch {
    return null
  }
}
