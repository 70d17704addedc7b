import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Logger } from 'pino'
import type { Dialect } from '../engine/dialect.ts'
import { ApiError, badRequest, errorBody, refusal } from '../engine/errors.ts'
import { makeId } from '../engine/ids.ts'
import type { Route } from '../engine/route.ts'
import { InvalidJson, parseJson } from '../fast/parse-json.ts'
import { type Addresses, routing } from './addresses.ts'

/** The maximum size of a JSON body. Files are uploaded as streams. */
export const BODY_LIMIT = 64 * 1024 * 1024
const REQUEST_TIMEOUT = 120_000
/** For streamed bodies: files may be large and connections slow. */
const UPLOAD_TIMEOUT = 6 * 3600_000
/** Leaves room for headers next to a request line of 16 kB. */
const HEADER_LIMIT = 48 * 1024

/** The HTTP options that depend on the application. */
interface Outside {
  /** Whether the forwarding headers of an address are trusted. */
  readonly isProxy: false | ((address: string) => boolean)
  /** Path prefixes whose errors have another format. */
  readonly dialects: readonly Dialect[]
  readonly addresses: Addresses
  /** Responds to a request without a route, or returns undefined to have it refused. */
  page?(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined
}

/**
 * Creates an HTTP server that reports every error, including its own, in the API's error format or in that of a
 * dialect.
 */
export function createHttp(log: Logger, { isProxy, dialects, addresses, page }: Outside): FastifyInstance {
  const refuse = refuserOf(dialects)
  const app = Fastify({
    trustProxy: isProxy,
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: makeId,
    // Each request is logged once, when it is over, so no request needs its own logger.
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
      void refuse(request, reply, refusal(error) ?? badRequest('The path is not valid.'))
    },
    clientErrorHandler: answerBrokenRequest,
  }) as unknown as FastifyInstance

  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    /^application\/([\w.-]+\+)?json/,
    { parseAs: 'buffer' },
    async (_request: unknown, body: string | Buffer) => readJson(body),
  )
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer' },
    async (request: { headers: IncomingMessage['headers'] }, body: string | Buffer) => {
      // Clients send DELETE with any content type, which matters only if the route reads the body.
      const type = request.headers['content-type']
      return type === undefined || type === '' ? readJson(body) : unreadable(type)
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
    const shown = refused ?? new ApiError(500, `Internal server error. Request id: ${request.id}`)
    return refuse(request, reply, shown)
  })
  app.setNotFoundHandler((request, reply) => {
    const place = addresses.find(request.url)
    if (place) {
      const methods = place.methods.join(', ')
      request.pattern = place.url
      reply.header('allow', methods)
      return refuse(
        request,
        reply,
        new ApiError(405, `${request.method} is not allowed here. Allowed methods: ${methods}.`),
      )
    }
    const fault = new ApiError(404, `No resource at '${request.originalUrl.split('?')[0]?.slice(0, 200)}'.`)
    return page?.(request, reply) ?? refuse(request, reply, fault)
  })
  app.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const body = JSON.stringify(errorBody(new ApiError(417, 'The only supported expectation is 100-continue.')))
    const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) }
    response.writeHead(417, headers).end(body)
  })
  return app
}

function readJson(body: string | Buffer): unknown {
  try {
    return parseJson(body)
  } catch (error) {
    throw error instanceof InvalidJson ? badRequest(error.message) : error
  }
}

const unreadable = (type: string): ApiError =>
  new ApiError(415, `The body must be application/json, not ${type.slice(0, 80)}.`)

const takesStream = ({ routeOptions }: FastifyRequest): boolean =>
  (routeOptions.config as { route?: Route }).route?.takes !== undefined

/**
 * Reports an error in the format that the client expects. The route decides if there is one, because a path can be
 * spelled in many ways.
 */
const refuserOf =
  (dialects: readonly Dialect[]) =>
  (request: FastifyRequest, reply: FastifyReply, fault: ApiError): FastifyReply => {
    const path = `${request.pattern || (request.routeOptions?.url ?? request.url.split('?')[0])}/`
    const dialect = dialects.find(({ base }) => path.startsWith(`${base}/`))
    reply.code(fault.status)
    if (fault.retryAfter !== undefined) reply.header('retry-after', String(fault.retryAfter))
    if (!dialect) return reply.send(errorBody(fault))
    const { type, text, headers = {} } = dialect.refuse(fault, request.id)
    for (const [name, value] of Object.entries(headers)) reply.header(name, value)
    // Sent as bytes, because Fastify would add a charset to the type of a string.
    return reply.type(type).send(Buffer.from(text))
  }

/** Ends a request whose body does not arrive in time. */
function cutOffLate(request: IncomingMessage, response: ServerResponse): void {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers
  if (length === '0' && encoding === undefined) return
  const late = Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
  const cutOff = setTimeout(() => {
    // A request that was refused before its body was complete already has its response.
    if (response.writableEnded) request.destroy()
    else answerBrokenRequest(late, request.socket)
  }, REQUEST_TIMEOUT).unref()
  const arrived = () => clearTimeout(cutOff)
  request.once('end', arrived).once('close', arrived)
}

/** An equals sign in a name such as `filter[>=at]`, which clients send unencoded. */
const OPEN_COMPARISON = /((?:^|&)filter(?:\[|%5B)(?:[<>]|%3C|%3E))=/gi

/** Parses a query string. Every value is a list, so that no repeated parameter is lost. */
export function parseQuery(text: string): Record<string, string[]> {
  const query: Record<string, string[]> = Object.create(null)
  for (const [key, value] of new URLSearchParams(text.replaceAll(OPEN_COMPARISON, '$1%3D'))) {
    query[key] ??= []
    query[key].push(value)
  }
  return query
}

/** Responds to requests that the HTTP parser rejected, which never reach a route. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const [status, detail]: [number, string] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, `The request line and headers exceed ${HEADER_LIMIT} bytes.`]
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
