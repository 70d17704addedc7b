import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Server } from '../server.ts'
import { type Attend, openAttendance } from './attend.ts'
import { ApiError, missing } from './errors.ts'
import { isLocal } from './is-local.ts'
import { networkOf } from './network-of.ts'
import { print } from './print.ts'
import type { Caller, Context } from './resource.ts'
import { retried } from './retried.ts'
import { type Answer, type Incoming, isWrite, NOBODY, type Route } from './route.ts'
import type { Owner } from './work.ts'

const LONG = 16_384
const WORTH_COMPRESSING = 1024
/** Between processes of one machine, what is larger than this takes longer to compress than to send. */
const WORTH_COMPRESSING_HERE = 32_768

declare module 'fastify' {
  interface FastifyRequest {
    /** Who called, and which route answers, once it is known; the request's log line names both. */
    caller: Caller | null
    pattern: string
  }
}

/** What the outside of a request gives to the engine: who calls, and under which address they know us. */
export interface Gate {
  authenticate(request: FastifyRequest): Promise<Caller>
  /** Who is calling by now, or a 401; not a use that would keep a session from ending. */
  renew(request: FastifyRequest): Promise<Caller>
  baseUrl(request: FastifyRequest): string
}

/** Serves a route: authenticate, authorise, parse, run in one transaction, answer. */
export function serve(app: FastifyInstance, server: Server, gate: Gate, route: Route, url: string): void {
  const isPublic = route.permission === 'public'
  const needed = route.permission === null || isPublic ? [] : [route.permission as string]

  const served: RouteOptions = {
    method: route.method,
    url,
    config: { route },
    // Before the body is read: nobody gets to send one who may not.
    onRequest: async (request) => {
      request.pattern = url
      request.caller = isPublic ? NOBODY : await gate.authenticate(request)
      require(request.caller, needed)
      route.admit?.(incoming(request))
    },
    handler: (request, reply) =>
      attendanceOf(gate)(ownerOf(request), route, reply, async () => {
        const caller = request.caller ?? NOBODY
        const input = await route.parse(incoming(request))
        // What was read of a large body must not be kept twice while the database works.
        request.body = undefined
        require(caller, [...needed, ...(route.guards?.(input) ?? [])])
        const ctx: Context = {
          ...server,
          caller,
          baseUrl: gate.baseUrl(request),
          renew: () => gate.renew(request),
        }
        const respond = (result: unknown): FastifyReply => {
          const answer = route.answer(result, ctx, input)
          return send(reply, answer.body === undefined ? answer : { ...answer, text: print(answer.body) })
        }
        if (!isWrite(route) || route.isDetached) return respond(await route.run(ctx, input))
        const prepared = await route.before?.(ctx, input)
        const transact = () =>
          server.db.transaction().execute((db) => route.run({ ...ctx, db, lookup: undefined }, input, prepared))
        return respond(await retried(transact))
      }),
  }
  if (route.takes === 'anything') void app.register(async (apart) => unreading(apart).route(served))
  else app.route(served)
}

/** Where bodies of all types are handed on unread; routes beside it read theirs as before. */
function unreading(app: FastifyInstance): FastifyInstance {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', async (_request: FastifyRequest, body: IncomingMessage) => body)
  return app
}

const attendances = new WeakMap<Gate, Attend>()

/** All routes of a server count the requests of a caller together. */
function attendanceOf(gate: Gate): Attend {
  const known = attendances.get(gate) ?? openAttendance()
  attendances.set(gate, known)
  return known
}

/** Clients that have not signed in each have a share of their own: one of them must not keep the others from signing in. */
const ownerOf = ({ caller, ip }: FastifyRequest): Owner => (caller && caller !== NOBODY ? caller.id : networkOf(ip))

function require(caller: Caller, permissions: readonly string[]): void {
  const lacking = permissions.filter((permission) => !caller.permissions.has(permission))
  if (lacking.length > 0) throw missing(lacking)
}

interface Printed extends Omit<Answer, 'text'> {
  readonly text?: string | Buffer | undefined
}

const JSON_TYPE = 'application/json; charset=utf-8'

function send(reply: FastifyReply, printed: Printed): FastifyReply {
  const { status, text, type = JSON_TYPE, stream, headers, trailers = {}, callerId } = printed
  reply.code(status)
  if (callerId !== undefined) reply.request.caller = { ...NOBODY, id: callerId }
  if (headers) reply.headers(headers)
  if (stream && reply.request.method === 'HEAD') stream.destroy()
  else for (const [name, read] of Object.entries(trailers)) reply.trailer(name, async () => read())
  if (stream) return reply.send(stream.destroyed ? Readable.from([]) : stream)
  if (text === undefined) return reply.send()
  reply.type(type)
  // What is long is sent as bytes: a text would be measured, and joined with the headers, before it becomes them.
  // And so is what has a type of its own: Fastify would add a parameter to it.
  const isText = typeof text === 'string' && text.length < LONG && type === JSON_TYPE
  if (!isWorthCompressing(reply.request, text.length)) return reply.send(isText ? text : bytesOf(text))
  reply.compress(text)
  return reply
}

const bytesOf = (text: string | Buffer): Buffer => (typeof text === 'string' ? Buffer.from(text) : text)

const isWorthCompressing = (request: FastifyRequest, length: number): boolean =>
  length >= WORTH_COMPRESSING &&
  request.headers['accept-encoding'] !== undefined &&
  (length <= WORTH_COMPRESSING_HERE || !isLocal(request))

const incoming = (request: FastifyRequest): Incoming => ({
  params: request.params as Record<string, string>,
  query: request.query as Record<string, string[]>,
  // A body of a type that cannot be read is a fault only where somebody wants to read it.
  get body() {
    if (request.body instanceof ApiError) throw request.body
    return request.body
  },
  headers: request.headers,
  address: request.ip,
})
