import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Caller, Context } from './context.ts'
import type { ExposedResource } from './exposed-resource.ts'

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Method = (typeof METHODS)[number]

/** A request as routes see it, without the details of HTTP. */
export interface Incoming {
  readonly params: Readonly<Record<string, string>>
  /** A repeated key is a list, never the last value. */
  readonly query: Readonly<Record<string, readonly string[]>>
  readonly body: unknown
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly address: string
}

export interface Answer {
  readonly status: number
  readonly body?: unknown
  /** In place of a JSON body: a serialised one, and its type. */
  readonly text?: string
  readonly type?: string
  /** In place of a JSON body: a stream of bytes. */
  readonly stream?: Readable
  readonly headers?: Readonly<Record<string, string>>
  /** Values that are known only when the stream has ended. Not every client reads them. */
  readonly trailers?: Readonly<Record<string, () => string>>
  /** The user behind a call of a public route, for the logs. */
  readonly callerId?: number
}

/** The documentation of a route that is not a standard operation. */
export interface RouteDoc {
  readonly operationId: string
  readonly summary: string
  readonly tag: string
  readonly body?: z.ZodType
  readonly example?: unknown
  /** Status and body of a success. */
  readonly success: Readonly<Record<number, z.ZodType | null>>
  readonly refusals?: readonly number[]
  /** The type of its bodies. Default: JSON. */
  readonly mediaType?: string
  /** The body of an error, if it is not that of the API. */
  readonly fault?: z.ZodType
}

/** A standard operation on a resource, or on the links in one of its fields: its definition says the rest. */
export interface StandardDoc {
  readonly resource: ExposedResource
  readonly verb: 'list' | 'get' | 'create' | 'upsert' | 'update' | 'delete' | 'delete_many'
  readonly field?: string
  /** Shown in place of the example of the resource. */
  readonly example?: Readonly<Record<string, unknown>>
  /** Its name in the OpenAPI document, where the resource is served at several paths. */
  readonly operationId?: string
  /** Whether POST may create several objects from one, and then responds with a list. */
  readonly createsSeveral?: boolean
}

/** A standard route whose documentation shows another example than that of its resource. */
export const withExample = (route: Route, example: NonNullable<StandardDoc['example']>): Route =>
  'verb' in route.doc ? { ...route, doc: { ...route.doc, example } } : route

/**
 * One endpoint: who may call it, how its request is parsed, what it does, and how it responds.
 * Only `prepare` and `run` do I/O; `run` of a write is in one transaction.
 */
// biome-ignore lint/suspicious/noExplicitAny: routes of all inputs and results stand in one list
export interface Route<I = any, R = any, P = any> {
  readonly method: Method
  /** Below the base path, Fastify style: `/tickets/:id`. */
  readonly path: string
  /** The beginning of the path. Default: `/api/v2`. */
  readonly base?: string
  /** The permission that callers need; `null` for any authenticated caller, `'public'` for everyone. */
  readonly permission: string | null | 'public'
  readonly doc: RouteDoc | StandardDoc
  /** Whether each statement of a write commits on its own, so that it holds no connection while it waits for something else. */
  readonly isDetached?: boolean
  /** Whether it ends when the client disconnects, although it is detached: it leaves nothing half done. */
  readonly endsWithClient?: boolean
  /** Whether it may change who callers are, or what they may do. Remembered callers are read again afterwards. */
  readonly changesCallers?: boolean
  /** Whether it is available to users who must first change their password or set up a second factor. */
  readonly liftsLimits?: boolean
  /** Whether it streams a large result. */
  readonly isExport?: boolean
  /** A type of body that `parse` receives as a stream, because it may be larger than memory. */
  readonly takes?: 'multipart/form-data' | 'anything'
  /** Whether HTTP Basic is accepted, for clients that support nothing else. */
  readonly takesBasic?: boolean
  /** The most bytes of a body that is not a stream. Default: that of the server. */
  readonly bodyLimit?: number
  /** Refuses a request by its headers, before its body is read. */
  admit?(request: Omit<Incoming, 'body'>): void
  parse(request: Incoming): I | Promise<I>
  /** Permissions that this input needs in addition to that of the route. */
  guards?(input: I): readonly string[]
  /** Prepares a write before its transaction begins; `run` receives the result. */
  prepare?(ctx: Context, input: I): Promise<P>
  run(ctx: Context, input: I, prepared?: P): Promise<R>
  answer(result: R, ctx: Context, input: I): Answer
}

/** Whether a request writes. Writes need a transaction and, from a browser, a CSRF token. */
export const isWrite = ({ method }: { method: string }): boolean => method !== 'GET' && method !== 'HEAD'

/** The caller of a public route. */
export const NOBODY: Caller = { id: 0, permissions: new Set() }
