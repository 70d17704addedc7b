import { type Opened, OutboundError } from '../../ports/outbound.ts'
import { type FailureKind, TransportError } from './collector.ts'

const MOST_RETRY_SECONDS = 86_400

/** What a fault of a call means for a feed; anything that is no such fault is given back as it is. */
export function transportErrorOf(error: unknown, url: string): unknown {
  if (!(error instanceof OutboundError)) return error
  return new TransportError(error.kind, `${hostOf(url)}: ${error.message}`, { cause: error })
}

/** What an answer other than the one that was asked for means; `what` is what was asked for. */
export function statusErrorOf({ status, headers, url }: Pick<Opened, 'status' | 'headers' | 'url'>, what: string) {
  const retryAfter = retryAfterIn(headers)
  const again = retryAfter === undefined ? '' : `, and asks to be left alone for ${retryAfter} seconds`
  const [kind, meaning] = meaningOf(status)
  return new TransportError(kind, `${hostOf(url)} answered ${status} for ${what}${meaning}${again}`, { retryAfter })
}

/** The bytes of a body; what breaks it off is told in terms of feeds. */
export async function* bodyOf(opened: Opened): AsyncGenerator<Buffer> {
  try {
    yield* opened.body
  } catch (error) {
    throw transportErrorOf(error, opened.url)
  }
}

/** The server of an address, for people. What stands behind it may hold a secret. */
export const hostOf = (url: string): string => URL.parse(url)?.host ?? 'the server'

function meaningOf(status: number): [FailureKind, string] {
  if (status === 401 || status === 403) return ['authentication', ': it does not accept who calls']
  if (status === 407) return ['authentication', ': the proxy does not accept who calls']
  if (status === 404 || status === 410) return ['not-found', ': it is not there']
  if (status === 406 || status === 415) return ['configuration', ': it does not speak the version that is asked for']
  if (status === 429) return ['rate-limited', ': it was called too often']
  if (status === 408 || status === 504) return ['timeout', ': it took too long']
  if (status === 413) return ['too-large', ': it was sent too much']
  if (status >= 500) return ['server', ': it has a fault']
  return ['server', ', which is no answer to it']
}

/** How long a server asks to be left alone, in seconds: it says so in seconds or by a date. */
function retryAfterIn(headers: Readonly<Record<string, string>>): number | undefined {
  const given = headers['retry-after']?.trim() ?? ''
  const seconds = /^\d{1,9}$/.test(given) ? Number(given) : Math.ceil((Date.parse(given) - Date.now()) / 1000)
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, MOST_RETRY_SECONDS) : undefined
}
