import { type Opened, OutboundError } from '../../ports/outbound.ts'
import { type FailureKind, TransportError } from './collector.ts'

const MAX_RETRY_SECONDS = 86_400

/** Converts an error of the outbound port to one of transports; returns any other error unchanged. */
export function transportErrorOf(error: unknown, url: string): unknown {
  if (!(error instanceof OutboundError)) return error
  return new TransportError(error.kind, `${hostOf(url)}: ${error.message}`, { cause: error })
}

/** Describes an unexpected status; `what` is the requested document. */
export function statusErrorOf({ status, headers, url }: Pick<Opened, 'status' | 'headers' | 'url'>, what: string) {
  const retryAfter = retryAfterIn(headers)
  const again = retryAfter === undefined ? '' : `, and asks to wait for ${retryAfter} seconds`
  const [kind, meaning] = meaningOf(status)
  return new TransportError(kind, `${hostOf(url)} answered ${status} for ${what}${meaning}${again}`, { retryAfter })
}

/** The bytes of a body, whose errors are converted to those of transports. */
export async function* bodyOf(opened: Opened): AsyncGenerator<Buffer> {
  try {
    yield* opened.body
  } catch (error) {
    throw transportErrorOf(error, opened.url)
  }
}

/** The host of an address, for messages; its path and query may contain a secret. */
export const hostOf = (url: string): string => URL.parse(url)?.host ?? 'the server'

function meaningOf(status: number): [FailureKind, string] {
  if (status === 401 || status === 403) return ['authentication', ': it does not accept the credentials']
  if (status === 407) return ['authentication', ': the proxy does not accept the credentials']
  if (status === 404 || status === 410) return ['not-found', ': it does not exist']
  if (status === 406 || status === 415) return ['configuration', ': it does not support the requested version']
  if (status === 429) return ['rate-limited', ': too many requests']
  if (status === 408 || status === 504) return ['timeout', ': it took too long']
  if (status === 413) return ['too-large', ': the content is too large']
  if (status >= 500) return ['server', ': the server failed']
  return ['server', ', which is unexpected']
}

/** How long a server asks to wait, in seconds; the header has seconds or a date. */
function retryAfterIn(headers: Readonly<Record<string, string>>): number | undefined {
  const given = headers['retry-after']?.trim() ?? ''
  const seconds = /^\d{1,9}$/.test(given) ? Number(given) : Math.ceil((Date.parse(given) - Date.now()) / 1000)
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, MAX_RETRY_SECONDS) : undefined
}
