import * as openid from 'openid-client'
import type { Context } from '../../engine/resource.ts'
import { faultOf } from './fault.ts'
import { askProvider, type Connection, PROOFS, type Provider } from './provider.ts'

/** What was found out about a provider. */
export interface Findings {
  readonly is_working: boolean
  /** In our own words, one sentence each. */
  readonly problems: readonly string[]
  readonly has_sign_out: boolean
}

type Described = Provider & { readonly scopes: readonly string[] }

/** Runs discovery, and shows the provider who we are, as far as that goes without somebody who signs in. */
export async function examineProvider(ctx: Context, provider: Described, redirectUri: string): Promise<Findings> {
  try {
    const connection = await askProvider(ctx, provider)
    const server = connection.serverMetadata()
    const problems = [...lacks(server, provider), ...(await refusals(connection, redirectUri))]
    return { is_working: problems.length === 0, problems, has_sign_out: server.end_session_endpoint !== undefined }
  } catch (error) {
    return { is_working: false, problems: [faultOf(error).message], has_sign_out: false }
  }
}

/** What a provider says that it cannot do; what it is silent about it may be able to do. */
function lacks(server: openid.ServerMetadata, { scopes, client_secret }: Described): string[] {
  const misses = (offered: readonly string[] | undefined, wanted: string) => offered && !offered.includes(wanted)
  const unknown = scopes.filter((scope) => misses(server.scopes_supported, scope))
  const proofs = server.token_endpoint_auth_methods_supported
  const signs = server.id_token_signing_alg_values_supported
  const problems: [isProblem: unknown, sentence: string][] = [
    [!server.authorization_endpoint, 'The provider does not say where people sign in.'],
    [!server.jwks_uri, 'The provider does not say where its keys are.'],
    [misses(server.response_types_supported, 'code'), 'The provider gives no codes, only tokens to the browser.'],
    [misses(server.code_challenge_methods_supported, 'S256'), 'The provider does not know PKCE with S256.'],
    [unknown.length > 0, `The provider does not know these scopes: ${unknown.join(', ')}.`],
    [
      client_secret !== null && proofs?.every((proof) => !PROOFS.includes(proof)),
      'The provider takes no client secret, neither in the header nor in the body.',
    ],
    [signs?.every((name) => /^(HS|none)/.test(name)), 'The provider signs its tokens with no key that can be checked.'],
  ]
  return problems.filter(([isProblem]) => isProblem).map(([, sentence]) => sentence)
}

/** A code that nobody was given is refused; who is told that the client is wrong instead has the wrong id or secret. */
async function refusals(connection: Connection, redirectUri: string): Promise<string[]> {
  if (!connection.serverMetadata().token_endpoint) return ['The provider does not say where codes are exchanged.']
  const callback = new URL(`${redirectUri}?code=${openid.randomState()}`)
  callback.searchParams.set('iss', connection.serverMetadata().issuer)
  try {
    await openid.authorizationCodeGrant(connection, callback, { pkceCodeVerifier: openid.randomPKCECodeVerifier() })
    return ['The provider gives tokens for a code that it never gave.']
  } catch (error) {
    if (error instanceof openid.ResponseBodyError && error.error === 'invalid_grant') return []
    return [faultOf(error).message]
  }
}
