import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Logger } from 'pino'
import { type Addresses, routing } from './addresses.ts'
import type { Dialect } from './engine/dialect.ts'
import { ApiError, badRequest, errorBody, refusal } from './engine/errors.ts'
import { makeId } from './engine/ids.ts'
import type { Route } from './engine/route.ts'
import { noteStorable } from './engine/storable.ts'

/** Largest JSON body; files travel by their own path. */
export const BODY_LIMIT = 64 * 1024 * 1024
const DEPTH_LIMIT = 100
const REQUEST_TIMEOUT = 120_000
/** For what is handed on as a stream: files may be large and lines slow. */
const UPLOAD_TIMEOUT = 6 * 3600_000
/** Request lines of 16 kB come with headers around them. */
const HEADER_LIMIT = 48 * 1024

/** How a server meets the world. */
interface Outside {
  /** Which addresses are believed when they say for whom they pass a request on. */
  readonly isProxy: false | ((address: string) => boolean)
  /** Paths below which faults have another shape. */
  readonly dialects: readonly Dialect[]
  readonly addresses: Addresses
  /** Answers where no route is, or leaves it to be refused. */
  page?(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined
}

/** An HTTP server that answers every fault, its own ones included, in the API's error shape, or in that of a dialect. */
export function createHttp(log: Logger, { isProxy, dialects, addresses, page }: Outside): FastifyInstance {
  const refuse = refuserOf(dialects)
  const app = Fastify({
    trustProxy: isProxy,
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: makeId,
    // One line a request is written when it is over: nothing needs a logger of its own.
    childLoggerFactory: (logger) => logger,
    bodyLimit: BODY_LIMIT,
    requestTimeout: UPLOAD_TIMEOUT,
    keepAliveTimeout: 72_000,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    http: { maxHeaderSize: HEADER_LIMIT },
    rewriteUrl: ({ url = '/' }) => addresses.settle(url),
    routerOptions: { ...routing, querystringParser: parseQuery },
    frameworkErrors: (error, request: FastifyRequest, reply: FastifyReply) => {
      void refuse(request, reply, refusal(error) ?? badRequest('The address is not valid.'))
    },
    clientErrorHandler: answerBrokenRequest,
  }) as unknown as FastifyInstance

  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    /^application\/([\w.-]+\+)?json/,
    { parseAs: 'buffer' },
    async (_request: unknown, body: string | Buffer) => parseJson(body),
  )
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer' },
    async (request: { headers: IncomingMessage['headers'] }, body: string | Buffer) => {
      // Clients send DELETE with whatever type they are used to: only a route that reads its body minds.
      const type = request.headers['content-type']
      return type === undefined || type === '' ? parseJson(body) : unreadable(type)
    },
  )
  app.addContentTypeParser('multipart/form-data', async (request: FastifyRequest, body: IncomingMessage) =>
    takesStream(request) ? body : unreadable('multipart/form-data'),
  )
  app.addHook('onRequest', (request, reply, done) => {
    if (!takesStream(request)) cutOffLate(request.raw, reply.raw)
    done()
  })
  app.setErrorHandler((error, request, reply) => {
    const refused = refusal(error)
    if (refused && refused.status < 500) return refuse(request, reply, refused)
    request.log.error({ err: refused?.cause ?? error, request_id: request.id }, 'request failed')
    const shown = refused ?? new ApiError(500, `Something went wrong on our side. Request id: ${request.id}`)
    return refuse(request, reply, shown)
  })
  app.setNotFoundHandler((request, reply) => {
    const place = addresses.find(request.url)
    if (place) {
      const methods = place.methods.join(', ')
      request.pattern = place.url
      reply.header('allow', methods)
      return refuse(request, reply, new ApiError(405, `${request.method} is not possible here; these are: ${methods}.`))
    }
    const fault = new ApiError(404, `There is nothing at '${request.originalUrl.split('?')[0]?.slice(0, 200)}'.`)
    return page?.(request, reply) ?? refuse(request, reply, fault)
  })
  app.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const body = JSON.stringify(errorBody(new ApiError(417, 'Only the expectation 100-continue is met.')))
    const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) }
    response.writeHead(417, headers).end(body)
  })
  return app
}

const unreadable = (type: string): ApiError =>
  new ApiError(415, `The body must be application/json, not ${type.slice(0, 80)}.`)

const takesStream = ({ routeOptions }: FastifyRequest): boolean =>
  (routeOptions.config as { route?: Route }).route?.takes !== undefined

/** Answers a fault as whoever asked expects it: by the route where there is one, for an address can be spelled in many ways. */
const refuserOf =
  (dialects: readonly Dialect[]) =>
  (request: FastifyRequest, reply: FastifyReply, fault: ApiError): FastifyReply => {
    const path = `${request.pattern || (request.routeOptions?.url ?? request.url.split('?')[0])}/`
    const dialect = dialects.find(({ base }) => path.startsWith(`${base}/`))
    reply.code(fault.status)
    if (!dialect) return reply.send(errorBody(fault))
    const { type, text, headers = {} } = dialect.refuse(fault, request.id)
    for (const [name, value] of Object.entries(headers)) reply.header(name, value)
    // As bytes: Fastify would add a parameter to the type of a text.
    return reply.type(type).send(Buffer.from(text))
  }

/** Ends a request whose body does not arrive in time. */
function cutOffLate(request: IncomingMessage, response: ServerResponse): void {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers
  if (length === '0' && encoding === undefined) return
  const late = Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
  const cutOff = setTimeout(() => {
    // Who was refused before all of the body was there has had an answer.
    if (response.writableEnded) request.destroy()
    else answerBrokenRequest(late, request.socket)
  }, REQUEST_TIMEOUT).unref()
  const arrived = () => clearTimeout(cutOff)
  request.once('end', arrived).once('close', arrived)
}

/** An equals sign in a name such as `filter[>=at]`, which clients send as it is. */
const OPEN_COMPARISON = /((?:^|&)filter(?:\[|%5B)(?:[<>]|%3C|%3E))=/gi

/** Reads a query string; every value is a list, so that no repeat is lost. */
export function parseQuery(text: string): Record<string, string[]> {
  const query: Record<string, string[]> = Object.create(null)
  for (const [key, value] of new URLSearchParams(text.replaceAll(OPEN_COMPARISON, '$1%3D'))) {
    query[key] ??= []
    query[key].push(value)
  }
  return query
}

/** Reads JSON with its depth bounded and `__proto__` left out; nothing at all is undefined. */
export function parseJson(body: string | Buffer): unknown {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  if (bytes.length === 0) return undefined
  if (!isUtf8(bytes)) throw badRequest('The body is not valid UTF-8.')
  if (depthOf(bytes) > DEPTH_LIMIT) throw badRequest(`The body is nested deeper than ${DEPTH_LIMIT} levels.`)
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
  if (text.trim() === '') return undefined
  try {
    // The key may be written with escapes, which a search for its plain form would miss.
    const hasEscapes = bytes.includes('\\u')
    const isSuspect = bytes.includes('__proto__') || (hasEscapes && /\\u00[567]/i.test(text))
    const body = JSON.parse(text, isSuspect ? (key, value) => (key === '__proto__' ? undefined : value) : undefined)
    if (!hasEscapes || !/\\u(?:0000|d[89a-f])/i.test(text)) noteStorable(body)
    return body
  } catch (error) {
    throw badRequest(`The body is not valid JSON: ${(error as Error).message}`)
  }
}

function depthOf(bytes: Buffer): number {
  let depth = 0
  let deepest = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    // Most of a body is text, and whatever is in it does not count.
    if (byte === 0x22) i = endOfString(bytes, i)
    else if (byte === 0x7b || byte === 0x5b) deepest = Math.max(deepest, ++depth)
    else if (byte === 0x7d || byte === 0x5d) depth--
  }
  return deepest
}

/** Where the string that starts here ends: at the next quote that no odd number of backslashes stands before. */
function endOfString(bytes: Buffer, start: number): number {
  // Most strings are short, and looking at a few bytes takes less than asking for the next quote.
  const near = Math.min(start + 32, bytes.length)
  for (let i = start + 1; i < near && bytes[i] !== 0x5c; i++) if (bytes[i] === 0x22) return i
  for (let end = bytes.indexOf(0x22, start + 1); end >= 0; end = bytes.indexOf(0x22, end + 1)) {
    let first = end
    while (bytes[first - 1] === 0x5c) first--
    if ((end - first) % 2 === 0) return end
  }
  return bytes.length
}

/** Requests that the HTTP parser gave up on never reach a route. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const [status, detail]: [number, string] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, `The request line and headers are larger than ${HEADER_LIMIT} bytes.`]
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'The request did not arrive in time.']
        : [400, 'The request is not valid HTTP.']
  const fault = new ApiError(status, detail)
  const body = JSON.stringify(errorBody(fault))
  socket.end(
    `HTTP/1.1 ${status} ${fault.title}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
