import * as openid from 'openid-client'
import type { Context, Item } from '../../engine/context.ts'
import { faultOf, SignInFault } from './fault.ts'
import type { Flow } from './flows.ts'
import { cachedProvider } from './provider.ts'
import { type IdentityProvider, redirectUri } from './providers.ts'

/** The identity of a user, confirmed by a provider. */
export interface ProvenIdentity {
  readonly issuer: string
  readonly subject: string
  /** The claims of the ID token and of the user info; the ID token takes precedence. */
  readonly claims: Item
  readonly hasSecondFactor: boolean
  /** The provider's sign-out URL, if it has one. */
  readonly signOutUrl: string | null
}

/** Some servers and proxies refuse longer URLs. */
const MAX_URL_LENGTH = 6000

/** Builds the authorization URL that the browser is sent to. */
export async function signInUrl(
  ctx: Context,
  provider: IdentityProvider,
  { state, nonce, verifier }: Pick<Flow, 'nonce' | 'verifier'> & { state: string },
): Promise<string> {
  try {
    const connection = await cachedProvider(ctx, provider)
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

/** Exchanges the authorization code for the user's identity and validates the tokens. */
export async function exchange(
  ctx: Context,
  provider: IdentityProvider,
  query: URLSearchParams,
  { nonce, verifier }: Flow,
): Promise<ProvenIdentity> {
  try {
    const connection = await cachedProvider(ctx, provider)
    const { end_session_endpoint, userinfo_endpoint } = connection.serverMetadata()
    const tokens = await openid.authorizationCodeGrant(connection, new URL(`${redirectUri(ctx)}?${query}`), {
      expectedState: query.get('state') ?? '',
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
    })
    const token = tokens.claims()
    if (!token) throw new SignInFault('invalid_answer', 'The provider did not return an ID token.')
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

/** Whether the ID token reports a second factor. User info is not considered, because users may be able to edit it. */
function isSecondFactor({ amr, acr }: openid.IDToken, { second_factor_values }: IdentityProvider): boolean {
  const told = [...(Array.isArray(amr) ? amr : []), acr]
  return told.some((value) => second_factor_values.includes(String(value)))
}

/** Returns undefined instead of throwing for an invalid sign-out URL: signing in must still work. */
function signOutUrl({ baseUrl }: Context, connection: openid.Configuration, idToken: string): string | null {
  const parameters = { post_logout_redirect_uri: `${baseUrl}/sign-in` }
  try {
    const hinted = openid.buildEndSessionUrl(connection, { ...parameters, id_token_hint: idToken }).href
    return hinted.length <= MAX_URL_LENGTH ? hinted : openid.buildEndSessionUrl(connection, parameters).href
  } catch {
    return null
  }
}
