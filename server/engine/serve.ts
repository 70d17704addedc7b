import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { serializeBody } from '../fast/stored-json.ts'
import type { Server } from '../server.ts'
import type { Caller, Context } from './context.ts'
import { ApiError, missing } from './errors.ts'
import { isLocal } from './is-local.ts'
import { limitRequests, type ServeLimited } from './limit-requests.ts'
import { networkOf } from './network-of.ts'
import { retried } from './retried.ts'
import { type Answer, type Incoming, isWrite, NOBODY, type Route } from './route.ts'
import type { Owner } from './work.ts'

const MIN_LENGTH_AS_BYTES = 16_384
const MIN_COMPRESSED_LENGTH = 1024
/** On the same machine, compressing a larger body takes longer than sending it. */
const MIN_COMPRESSED_LENGTH_LOCALLY = 32_768

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller and the route, once known; both are in the log line of the request. */
    caller: Caller | null
    pattern: string
  }
}

/** What the engine needs to know about a request: its caller, and the address that they use for this server. */
export interface Gate {
  authenticate(request: FastifyRequest): Promise<Caller>
  /** Authenticates the caller again, or throws a 401. Does not extend a session. */
  renew(request: FastifyRequest): Promise<Caller>
  baseUrl(request: FastifyRequest): string
}

/** Serves a route: authenticate, authorise, parse, run in one transaction, answer. */
export function serve(app: FastifyInstance, server: Server, gate: Gate, route: Route, url: string): void {
  const isPublic = route.permission === 'public'
  const own = route.permission === null || isPublic ? [] : [route.permission as string]
  // Guards that ask for no input always need the same: a refusal names them together with the permission of the route.
  const needed = route.guards?.length === 0 ? [...own, ...route.guards(undefined)] : own

  const served: RouteOptions = {
    method: route.method,
    url,
    config: { route },
    ...(route.bodyLimit !== undefined && { bodyLimit: route.bodyLimit }),
    // Before the body is read: only callers with the permission may send one.
    onRequest: async (request) => {
      request.pattern = url
      request.caller = isPublic ? NOBODY : await gate.authenticate(request)
      require(request.caller, needed)
      route.admit?.(incoming(request))
    },
    handler: (request, reply) =>
      limitOf(gate)(ownerOf(request), route, reply, async (signal) => {
        const caller = request.caller ?? NOBODY
        const input = await route.parse(incoming(request))
        // The parsed body would otherwise stay in memory twice during the transaction.
        request.body = undefined
        require(caller, [...needed, ...(route.guards?.(input) ?? [])])
        const ctx: Context = {
          ...server,
          caller,
          baseUrl: gate.baseUrl(request),
          renew: () => gate.renew(request),
          signal,
        }
        const respond = (result: unknown): FastifyReply => {
          const answer = route.answer(result, ctx, input)
          return send(reply, answer.body === undefined ? answer : { ...answer, text: serializeBody(answer.body) })
        }
        if (!isWrite(route) || route.isDetached) return respond(await route.run(ctx, input))
        const prepared = await route.prepare?.(ctx, input)
        const transact = () =>
          server.db.transaction().execute((db) => route.run({ ...ctx, db, lookup: undefined }, input, prepared))
        return respond(await retried(transact))
      }),
  }
  if (route.takes === 'anything') void app.register(async (scope) => unreading(scope).route(served))
  else app.route(served)
}

/** Passes bodies of all types on unread, without affecting other routes. */
function unreading(app: FastifyInstance): FastifyInstance {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', async (_request: FastifyRequest, body: IncomingMessage) => body)
  return app
}

const limits = new WeakMap<Gate, ServeLimited>()

/** Shared by all routes of a server, which count the requests of a caller together. */
function limitOf(gate: Gate): ServeLimited {
  const known = limits.get(gate) ?? limitRequests()
  limits.set(gate, known)
  return known
}

/** Anonymous clients are told apart by network, so that one of them cannot keep the others from signing in. */
const ownerOf = ({ caller, ip }: FastifyRequest): Owner => (caller && caller !== NOBODY ? caller.id : networkOf(ip))

function require(caller: Caller, permissions: readonly string[]): void {
  const lacking = permissions.filter((permission) => !caller.permissions.has(permission))
  if (lacking.length > 0) throw missing(lacking)
}

interface Serialized extends Omit<Answer, 'text'> {
  readonly text?: string | Buffer | undefined
}

const JSON_TYPE = 'application/json; charset=utf-8'

function send(reply: FastifyReply, serialized: Serialized): FastifyReply {
  const { status, text, type = JSON_TYPE, stream, headers, trailers = {}, callerId } = serialized
  reply.code(status)
  if (callerId !== undefined) reply.request.caller = { ...NOBODY, id: callerId }
  if (headers) reply.headers(headers)
  if (stream && reply.request.method === 'HEAD') stream.destroy()
  else for (const [name, read] of Object.entries(trailers)) reply.trailer(name, async () => read())
  if (stream) return reply.send(stream.destroyed ? Readable.from([]) : stream)
  if (text === undefined) return reply.send()
  reply.type(type)
  // Long texts are sent as bytes: a string would be measured and joined with the headers first.
  // So are texts of other types, because Fastify would add a charset to a string.
  const isText = typeof text === 'string' && text.length < MIN_LENGTH_AS_BYTES && type === JSON_TYPE
  if (!isWorthCompressing(reply.request, text.length)) return reply.send(isText ? text : bytesOf(text))
  reply.compress(text)
  return reply
}

const bytesOf = (text: string | Buffer): Buffer => (typeof text === 'string' ? Buffer.from(text) : text)

const isWorthCompressing = (request: FastifyRequest, length: number): boolean =>
  length >= MIN_COMPRESSED_LENGTH &&
  request.headers['accept-encoding'] !== undefined &&
  (length <= MIN_COMPRESSED_LENGTH_LOCALLY || !isLocal(request))

const incoming = (request: FastifyRequest): Incoming => ({
  params: request.params as Record<string, string>,
  query: request.query as Record<string, string[]>,
  // A body of an unsupported type is an error only if the route reads it.
  get body() {
    if (request.body instanceof ApiError) throw request.body
    return request.body
  },
  headers: request.headers,
  address: request.ip,
})
