import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import { OutboundError } from '../../ports/outbound.ts'

/** Why a sign-in through a provider came to nothing; the sign-in page has a sentence for each. */
export type Reason =
  | 'cancelled'
  | 'provider_unreachable'
  | 'provider_refused'
  | 'invalid_answer'
  | 'expired'
  | 'not_linked'
  | 'username_taken'
  | 'account_closed'
  | 'already_linked'

/** A fault of a sign-in. What it says is ours: what providers answer may repeat a secret. */
export class SignInFault extends Error {
  readonly reason: Reason

  constructor(reason: Reason, message: string) {
    super(message)
    this.reason = reason
  }
}

/** What went wrong in a call of a provider, or in checking its answer; anything that is no such thing is thrown on. */
export function faultOf(error: unknown): SignInFault {
  if (error instanceof SignInFault) return error
  const outside = outboundErrorIn(error)
  if (outside) return new SignInFault('provider_unreachable', `The provider was not reached: ${outside.message}.`)
  if (error instanceof AuthorizationResponseError) return refusalOf(error.error)
  if (error instanceof ResponseBodyError) return refusalOf(error.error)
  if (error instanceof WWWAuthenticateChallengeError) return refusalOf('invalid_client')
  const { code } = error as { code?: unknown }
  // What a provider says of itself may be of any type.
  const isTheirs =
    error instanceof ClientError ||
    error instanceof TypeError ||
    (typeof code === 'string' && code.startsWith('OAUTH_'))
  if (!isTheirs) throw error
  return new SignInFault('invalid_answer', SENTENCES[String(code)] ?? 'The provider answers with what nobody can use.')
}

function outboundErrorIn(error: unknown): OutboundError | undefined {
  for (let reason = error; reason instanceof Error; reason = reason.cause) {
    if (reason instanceof OutboundError) return reason
  }
  return undefined
}

function refusalOf(error: string): SignInFault {
  if (error === 'access_denied') return new SignInFault('cancelled', 'The sign-in was cancelled at the provider.')
  if (error === 'server_error' || error === 'temporarily_unavailable') {
    return new SignInFault('provider_unreachable', 'The provider says that it cannot serve at the moment.')
  }
  const isClient = error === 'invalid_client' || error === 'unauthorized_client'
  const what = isClient ? 'the client id or the client secret' : 'the request'
  return new SignInFault('provider_refused', `The provider does not accept ${what}.`)
}

const SENTENCES: Record<string, string> = {
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'The provider answers with a status that is not expected.',
  OAUTH_RESPONSE_IS_NOT_JSON: 'The provider does not answer with JSON.',
  OAUTH_PARSE_ERROR: 'The provider does not answer with valid JSON.',
  OAUTH_HTTP_REQUEST_FORBIDDEN: 'The provider names an address that is not https.',
  OAUTH_REQUEST_PROTOCOL_FORBIDDEN: 'The provider names an address that is neither http nor https.',
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: 'The provider calls itself by another issuer.',
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: 'The token of the provider is for somebody or something else.',
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'The token of the provider is no longer valid, or not yet.',
  OAUTH_KEY_SELECTION_FAILED: 'The provider has no key that fits its token.',
  OAUTH_MISSING_SERVER_METADATA: 'The provider does not say where its endpoints are.',
  OAUTH_INVALID_SERVER_METADATA: 'The provider says of its endpoints what is no address.',
}
