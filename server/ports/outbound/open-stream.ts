import { Readable } from 'node:stream'
import type { Dispatcher, request } from 'undici'
import type { Connection, Opened, OpenInit, StreamLimits } from '../outbound.ts'
import { type Deadline, startDeadline } from './deadline.ts'
import { breakOf, OutboundError, reasonOf } from './outbound-error.ts'
import { type Reach, readAddress, refuseUnreachable } from './reach.ts'
import { ACCEPTED_ENCODINGS, unpack } from './unpack.ts'

const MAX_REDIRECTS = 5
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** The dependencies for calling other servers. */
export interface Caller {
  readonly reach: Reach
  readonly request: typeof request
  dispatcherFor(connection: Connection, isPlain: boolean): Dispatcher
}

type Answer = Dispatcher.ResponseData

/** Calls a URL, follows redirects, and returns the response while it is still arriving. */
export async function openStream(
  caller: Caller,
  url: string,
  init: OpenInit,
  limits: StreamLimits,
  connection: Connection = {},
): Promise<Opened> {
  const first = readAddress(url)
  const deadline = startDeadline(limits.timeoutMs, limits.idleMs, init.signal)
  try {
    deadline.signal.throwIfAborted()
    const { answer, target } = await follow(caller, first, init, limits, connection, deadline)
    return openedOf(answer, target, limits, deadline)
  } catch (error) {
    deadline.end()
    throw deadline.signal.aborted ? deadline.signal.reason : reasonOf(error)
  }
}

async function follow(
  caller: Caller,
  first: URL,
  init: OpenInit,
  limits: StreamLimits,
  connection: Connection,
  deadline: Deadline,
) {
  const method = init.method ?? 'GET'
  const isLed = (init.followsRedirects ?? true) && (method === 'GET' || method === 'HEAD')
  let target = first
  let own = connection
  for (let redirects = 0; ; redirects++) {
    const isPlain = limits.isConfidential === true && target.protocol === 'http:'
    const answer = await ask(caller, target, method, init, own, isPlain, deadline)
    if (!isLed || !REDIRECTS.has(answer.statusCode)) return { answer, target }
    abandon(answer)
    if (redirects === MAX_REDIRECTS) throw new OutboundError(`more than ${MAX_REDIRECTS} redirects`)
    const next = whereTo(answer, target)
    // Credentials for the first server are sent neither to other origins nor after the chain returned from one.
    if (next.origin !== first.origin) own = withoutCredentials(connection)
    target = next
  }
}

async function ask(
  { reach, request, dispatcherFor }: Caller,
  target: URL,
  method: string,
  { headers, body }: OpenInit,
  connection: Connection,
  isPlain: boolean,
  deadline: Deadline,
): Promise<Answer> {
  const dispatcher = dispatcherFor(connection, isPlain)
  deadline.wait()
  if (connection.proxy !== undefined) await untilAborted(refuseUnreachable(reach, target), deadline.signal)
  const asking = request(target, {
    dispatcher,
    method: method as Dispatcher.HttpMethod,
    headers: {
      'user-agent': 'Corvus',
      'accept-encoding': ACCEPTED_ENCODINGS,
      ...headers,
      ...connection.credentials,
    },
    body: typeof body === 'string' || Buffer.isBuffer(body) ? body : body ? sent(body, deadline) : null,
    signal: deadline.signal,
    // The deadline is stricter: it also ends responses that arrive very slowly.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  // The library checks the signal only once there is a connection.
  const answer = await untilAborted(asking, deadline.signal)
  deadline.rest()
  // The body may fail before it is read.
  answer.body.on('error', () => {})
  return answer
}

/** A request body: each chunk taken counts as progress, and an error of its own is not attributed to the server. */
function sent(body: AsyncIterable<Uint8Array>, deadline: Deadline): Readable {
  const pieces = async function* () {
    try {
      for await (const piece of body) {
        deadline.wait()
        yield piece
      }
    } catch (error) {
      deadline.fail(error)
    }
  }
  return Readable.from(pieces(), { objectMode: false })
}

function whereTo(answer: Answer, from: URL): URL {
  const { location } = answer.headers
  const given = typeof location === 'string' ? URL.parse(location, from.href) : null
  if (!given) throw new OutboundError('the redirect has no location', 'malformed')
  const next = readAddress(given.href)
  if (from.protocol === 'https:' && next.protocol === 'http:')
    throw new OutboundError('redirects from https to http are not followed', 'refused-address')
  return next
}

const withoutCredentials = ({ ca, isVerified, proxy }: Connection): Connection => ({
  ...(ca !== undefined && { ca }),
  ...(isVerified !== undefined && { isVerified }),
  ...(proxy !== undefined && { proxy }),
})

function openedOf(answer: Answer, target: URL, { mostBytes }: StreamLimits, deadline: Deadline): Opened {
  const headers = Object.fromEntries(
    Object.entries(answer.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : `${value}`]),
  )
  const close = () => {
    deadline.end()
    abandon(answer)
  }
  try {
    if (Number(headers['content-length']) > mostBytes) throw tooLarge(mostBytes)
    const packed = arriving(answer, mostBytes, deadline)
    const body = bounded(unpack(packed, headers['content-encoding']), mostBytes, deadline, close)
    return { status: answer.statusCode, headers, url: target.href, body, close }
  } catch (error) {
    close()
    throw error
  }
}

async function* arriving({ body }: Answer, mostBytes: number, deadline: Deadline): AsyncGenerator<Buffer> {
  let size = 0
  deadline.wait()
  for await (const piece of body as AsyncIterable<Buffer>) {
    deadline.rest()
    size += piece.length
    if (size > mostBytes) throw tooLarge(mostBytes)
    yield piece
    deadline.wait()
  }
  deadline.rest()
}

async function* bounded(
  pieces: AsyncIterable<Buffer>,
  mostBytes: number,
  { signal }: Deadline,
  close: () => void,
): AsyncGenerator<Buffer> {
  let size = 0
  try {
    for await (const piece of pieces) {
      size += piece.length
      if (size > mostBytes) throw tooLarge(mostBytes)
      yield piece
    }
  } catch (error) {
    throw signal.aborted ? signal.reason : breakOf(error)
  } finally {
    close()
  }
}

const tooLarge = (mostBytes: number): OutboundError =>
  new OutboundError(`the response is larger than ${mostBytes} bytes`, 'too-large')

/** Discards a response that is not read to its end, and its connection. */
const abandon = ({ body }: Answer): unknown => body.destroy()

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
