import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import { OutboundError } from '../../ports/outbound.ts'

/** Why a sign-in through a provider failed. The sign-in page has a message for each reason. */
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

/** A failed sign-in. The message is our own, because a provider's response may repeat a secret. */
export class SignInFault extends Error {
  readonly reason: Reason

  constructor(reason: Reason, message: string) {
    super(message)
    this.reason = reason
  }
}

/** Translates an error from calling a provider or validating its response. Any other error is rethrown. */
export function faultOf(error: unknown): SignInFault {
  if (error instanceof SignInFault) return error
  const outside = outboundErrorIn(error)
  if (outside) return new SignInFault('provider_unreachable', `The provider could not be reached: ${outside.message}.`)
  if (error instanceof AuthorizationResponseError) return refusalOf(error.error)
  if (error instanceof ResponseBodyError) return refusalOf(error.error)
  if (error instanceof WWWAuthenticateChallengeError) return refusalOf('invalid_client')
  const { code } = error as { code?: unknown }
  // Provider metadata may contain values of any type.
  const isProviderError =
    error instanceof ClientError ||
    error instanceof TypeError ||
    (typeof code === 'string' && code.startsWith('OAUTH_'))
  if (!isProviderError) throw error
  return new SignInFault('invalid_answer', MESSAGES[String(code)] ?? 'The provider sent an invalid response.')
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
    return new SignInFault('provider_unreachable', 'The provider reports that it is temporarily unavailable.')
  }
  const isClient = error === 'invalid_client' || error === 'unauthorized_client'
  const what = isClient ? 'the client id or client secret' : 'the request'
  return new SignInFault('provider_refused', `The provider does not accept ${what}.`)
}

const MESSAGES: Record<string, string> = {
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'The provider responded with an unexpected status.',
  OAUTH_RESPONSE_IS_NOT_JSON: 'The provider did not respond with JSON.',
  OAUTH_PARSE_ERROR: 'The provider did not respond with valid JSON.',
  OAUTH_HTTP_REQUEST_FORBIDDEN: "The provider's metadata contains a URL that is not https.",
  OAUTH_REQUEST_PROTOCOL_FORBIDDEN: "The provider's metadata contains a URL that is neither http nor https.",
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: "The provider's metadata names a different issuer.",
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: "The provider's token does not match this client or sign-in.",
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: "The provider's token has expired or is not yet valid.",
  OAUTH_KEY_SELECTION_FAILED: 'The provider has no key that matches its token.',
  OAUTH_MISSING_SERVER_METADATA: "The provider's metadata has no endpoints.",
  OAUTH_INVALID_SERVER_METADATA: "The provider's metadata contains an endpoint that is not a valid URL.",
}
