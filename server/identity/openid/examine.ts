import * as openid from 'openid-client'
import type { Context } from '../../engine/context.ts'
import { faultOf } from './fault.ts'
import { CLIENT_AUTH_METHODS, type Connection, discoverProvider, type Provider } from './provider.ts'

/** The result of testing a provider. */
export interface Findings {
  readonly is_working: boolean
  /** Each problem is one sentence in our own words. */
  readonly problems: readonly string[]
  readonly has_sign_out: boolean
}

type Described = Provider & { readonly scopes: readonly string[] }

/** Runs discovery and authenticates the client, as far as possible without a user signing in. */
export async function examineProvider(ctx: Context, provider: Described, redirectUri: string): Promise<Findings> {
  try {
    const connection = await discoverProvider(ctx, provider)
    const server = connection.serverMetadata()
    const problems = [...missingFeatures(server, provider), ...(await probeClient(connection, redirectUri))]
    return { is_working: problems.length === 0, problems, has_sign_out: server.end_session_endpoint !== undefined }
  } catch (error) {
    return { is_working: false, problems: [faultOf(error).message], has_sign_out: false }
  }
}

/** Required features that the provider's metadata rules out. Features it does not mention may be supported. */
function missingFeatures(server: openid.ServerMetadata, { scopes, client_secret }: Described): string[] {
  const misses = (offered: readonly string[] | undefined, wanted: string) => offered && !offered.includes(wanted)
  const unknown = scopes.filter((scope) => misses(server.scopes_supported, scope))
  const proofs = server.token_endpoint_auth_methods_supported
  const signs = server.id_token_signing_alg_values_supported
  const problems: [isProblem: unknown, sentence: string][] = [
    [!server.authorization_endpoint, "The provider's metadata has no authorization endpoint."],
    [!server.jwks_uri, "The provider's metadata has no JWKS address."],
    [misses(server.response_types_supported, 'code'), 'The provider does not support the authorization code flow.'],
    [misses(server.code_challenge_methods_supported, 'S256'), 'The provider does not support PKCE with S256.'],
    [unknown.length > 0, `The provider does not support these scopes: ${unknown.join(', ')}.`],
    [
      client_secret !== null && proofs?.every((proof) => !CLIENT_AUTH_METHODS.includes(proof)),
      'The provider accepts a client secret neither in the header nor in the body.',
    ],
    [
      signs?.every((name) => /^(HS|none)/.test(name)),
      'The provider does not support a signature algorithm that can be verified.',
    ],
  ]
  return problems.filter(([isProblem]) => isProblem).map(([, sentence]) => sentence)
}

/**
 * Sends an invented code, which the provider must refuse. If it refuses the client instead, the client id or secret
 * is wrong.
 */
async function probeClient(connection: Connection, redirectUri: string): Promise<string[]> {
  if (!connection.serverMetadata().token_endpoint) return ["The provider's metadata has no token endpoint."]
  const callback = new URL(`${redirectUri}?code=${openid.randomState()}`)
  callback.searchParams.set('iss', connection.serverMetadata().issuer)
  try {
    await openid.authorizationCodeGrant(connection, callback, { pkceCodeVerifier: openid.randomPKCECodeVerifier() })
    return ['The provider issued tokens for an authorization code that it never issued.']
  } catch (error) {
    if (error instanceof openid.ResponseBodyError && error.error === 'invalid_grant') return []
    return [faultOf(error).message]
  }
}
