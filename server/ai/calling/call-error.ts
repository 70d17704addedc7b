/** The kinds of failed calls that are handled in different ways. */
export type CallFault =
  /** Works again later; may be tried again. */
  | 'busy'
  | 'down'
  /** Took too long. To try again at once would only add load. */
  | 'slow'
  /** The account of the provider has no credit left. */
  | 'quota'
  /** The provider rejected the key. */
  | 'key'
  | 'no-model'
  | 'too-long'
  | 'malformed'
  /** The provider refuses a part of the request that not every server supports; see `manner.ts`. */
  | Unsupported
  /** The provider does not say why it refuses the request. */
  | 'refused'
  | 'other'

export type Unsupported = 'form' | 'usage' | 'roles' | 'temperature' | 'thoughts' | 'limit-name'

interface Options extends ErrorOptions {
  readonly retryAfter?: number | undefined
}

/** Why a call failed. The message is our own, because a provider's response may repeat the key. */
export class CallError extends Error {
  override name = 'CallError'
  readonly kind: CallFault
  /** Seconds. */
  readonly retryAfter: number | undefined

  constructor(message: string, kind: CallFault = 'other', { retryAfter, ...options }: Options = {}) {
    super(message, options)
    this.kind = kind
    this.retryAfter = retryAfter
  }
}
