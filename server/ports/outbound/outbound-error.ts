/** What went wrong with a call, by its kind. */
export type OutboundFault =
  | 'unreachable'
  | 'refused-address'
  | 'certificate'
  | 'authentication'
  | 'timeout'
  | 'cut-off'
  | 'too-large'
  | 'malformed'
  | 'configuration'

/** Why a call led to nothing, in our own words: what other servers say may repeat a secret. */
export class OutboundError extends Error {
  override name = 'OutboundError'
  readonly kind: OutboundFault

  constructor(message: string, kind: OutboundFault = 'unreachable') {
    super(message)
    this.kind = kind
  }
}

/** The innermost reason, when it is ours or the system's; anything else might quote what was sent. */
export function reasonOf(error: unknown): OutboundError {
  for (let reason = error; reason instanceof Error; reason = reason.cause) {
    if (reason instanceof OutboundError) return reason
    const { code, message } = reason as NodeJS.ErrnoException
    if (message === 'bad port') return badPort()
    if (reason.name === 'HTTPParserError') return notHttp()
    const proxied = /^Proxy (?:response|Authentication Required) \((\d{3})\)/.exec(message)?.[1]
    if (proxied) return proxyRefused(Number(proxied))
    if (typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code))
      return new OutboundError(`it cannot be reached (${code})`, kindOf(code))
  }
  return new OutboundError('it cannot be reached')
}

/** The reason why an answer that had begun did not come to its end. */
export function breakOf(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error
  const { code, name } = error as NodeJS.ErrnoException
  if (name === 'HTTPParserError') return notHttp()
  if (code === 'Z_DATA_ERROR' || code?.startsWith('ERR_BROTLI') || code?.startsWith('ERR__ERROR_FORMAT'))
    return new OutboundError('the answer cannot be unpacked', 'malformed')
  return new OutboundError('the answer broke off in the middle', 'cut-off')
}

export const badPort = (): OutboundError =>
  new OutboundError('its port belongs to another kind of server', 'refused-address')

const notHttp = (): OutboundError => new OutboundError('it does not speak HTTP', 'malformed')

function proxyRefused(status: number): OutboundError {
  return new OutboundError(`the proxy answered ${status}`, status === 407 ? 'authentication' : 'unreachable')
}

function kindOf(code: string): OutboundFault {
  if (/CERT|SELF_SIGNED|^UNABLE_TO_|HOSTNAME_MISMATCH|UND_ERR_PRX_TLS/.test(code)) return 'certificate'
  if (/TIMEOUT|ETIMEDOUT/.test(code)) return 'timeout'
  if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE') return 'cut-off'
  if (/HEADERS_OVERFLOW|CONTENT_LENGTH_MISMATCH/.test(code)) return 'malformed'
  return 'unreachable'
}
