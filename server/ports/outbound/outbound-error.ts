/** The kind of error in a call. */
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

/** Why a call failed, in our own words, because other servers' messages may repeat a secret. */
export class OutboundError extends Error {
  override name = 'OutboundError'
  readonly kind: OutboundFault

  constructor(message: string, kind: OutboundFault = 'unreachable') {
    super(message)
    this.kind = kind
  }
}

/** The innermost cause, if it is ours or the system's. Others might quote what was sent. */
export function reasonOf(error: unknown): OutboundError {
  for (let reason = error; reason instanceof Error; reason = reason.cause) {
    if (reason instanceof OutboundError) return reason
    const { code, message } = reason as NodeJS.ErrnoException
    if (message === 'bad port') return badPort()
    if (reason.name === 'HTTPParserError') return notHttp()
    const proxied = /^Proxy (?:response|Authentication Required) \((\d{3})\)/.exec(message)?.[1]
    if (proxied) return proxyRefused(Number(proxied))
    if (typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code))
      return new OutboundError(`the connection failed (${code})`, kindOf(code))
  }
  return new OutboundError('the connection failed')
}

/** Why a response that had started did not complete. */
export function breakOf(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error
  const { code, name } = error as NodeJS.ErrnoException
  if (name === 'HTTPParserError') return notHttp()
  if (code === 'Z_DATA_ERROR' || code?.startsWith('ERR_BROTLI') || code?.startsWith('ERR__ERROR_FORMAT'))
    return new OutboundError('the response cannot be decompressed', 'malformed')
  return new OutboundError('the response broke off', 'cut-off')
}

export const badPort = (): OutboundError => new OutboundError('the port belongs to another protocol', 'refused-address')

const notHttp = (): OutboundError => new OutboundError('the server does not speak HTTP', 'malformed')

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
