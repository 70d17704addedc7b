import { isUtf8 } from 'node:buffer'
import { EnricherError, MAX_ANSWER_BYTES, MAX_ANSWER_DEPTH, type SourceAnswer } from '../function.ts'

/** The statuses with which services refuse an account. */
export const REFUSED: readonly number[] = [401, 402, 403]
/** The statuses with which services refuse further requests for now. */
export const LIMITED: readonly number[] = [429]

const TEMPORARY = [408, 425]

/** The failure that a status means that is no result, with a sentence about what to do. */
export function faultOfStatus(answer: SourceAnswer): EnricherError {
  const { status } = answer
  const said = `The service responded with ${status}`
  if (REFUSED.includes(status)) return refused(answer)
  if (LIMITED.includes(status)) return limited(answer)
  if (status >= 500 || TEMPORARY.includes(status))
    return new EnricherError('unavailable', `${said}. It is called again later.`)
  if (status >= 300 && status < 400) return new EnricherError('unreadable', `${said}, a redirect that is not followed.`)
  return new EnricherError('unreadable', `${said}: it does not accept the request. Check the value and the parameters.`)
}

/** The service refuses the account. */
export const refused = ({ status }: SourceAnswer): EnricherError =>
  new EnricherError(
    'refused',
    `The service ${status < 400 ? 'refuses the account' : `responded with ${status}`}. Check the API key.`,
  )

/** The service refuses further requests for now. */
export const limited = ({ status, headers }: SourceAnswer): EnricherError =>
  new EnricherError(
    'limited',
    `The service ${status < 400 ? 'reports that a limit is reached' : `responded with ${status}`}. It is called again later.`,
    retryAfterSeconds(headers),
  )

/** How long a service asks to wait, in seconds: `Retry-After` has a number or a date. */
export function retryAfterSeconds(headers: SourceAnswer['headers'], now = Date.now()): number | undefined {
  const text = headers['retry-after']?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const date = /^[A-Za-z]{3}, /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000))
}

/**
 * Parses the body of an answer. Its objects have no prototype, so that no name of a member means anything by itself. Throws
 * `unreadable` if it is not JSON, too large or too deep.
 */
export function jsonOf(body: Buffer): unknown {
  if (body.length > MAX_ANSWER_BYTES) throw unreadable(`is larger than ${MAX_ANSWER_BYTES / 2 ** 20} MB`)
  if (body.length === 0) throw unreadable('is empty')
  if (!isUtf8(body)) throw unreadable('is not valid UTF-8')
  if (isMarkup(body)) throw unreadable('is a web page or XML, not JSON')
  if (depthOf(body) > MAX_ANSWER_DEPTH) throw unreadable(`is nested deeper than ${MAX_ANSWER_DEPTH} levels`)
  try {
    return withoutPrototypes(JSON.parse(body.toString('utf8').replace(/^\uFEFF/, '')))
  } catch {
    throw unreadable('is not valid JSON')
  }
}

const unreadable = (what: string): EnricherError =>
  new EnricherError('unreadable', `The answer of the service cannot be read: it ${what}.`)

const isMarkup = (body: Buffer): boolean => /^\uFEFF?\s{0,100}</.test(body.toString('utf8', 0, 200))

const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const [BRACKET, BRACE, CLOSING_BRACKET, CLOSING_BRACE] = [0x5b, 0x7b, 0x5d, 0x7d]

/** How deep the text is nested, found before it is parsed: nothing that follows can then overflow the stack. */
function depthOf(bytes: Buffer): number {
  let depth = 0
  let deepest = 0
  let isText = false
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (isText) {
      if (byte === BACKSLASH) i++
      else if (byte === QUOTE) isText = false
    } else if (byte === QUOTE) isText = true
    else if (byte === BRACE || byte === BRACKET) deepest = Math.max(deepest, ++depth)
    else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) depth--
  }
  return deepest
}

function withoutPrototypes(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  for (const inner of Object.values(value)) withoutPrototypes(inner)
  return Array.isArray(value) ? value : Object.setPrototypeOf(value, null)
}
