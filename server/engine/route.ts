import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Caller, Context, Resource } from './resource.ts'

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Method = (typeof METHODS)[number]

/** A request as routes see it: nothing of HTTP but what was asked. */
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
  /** In place of a JSON body: one that is written already, and its type. */
  readonly text?: string
  readonly type?: string
  /** In place of a JSON body: bytes, sent as they come. */
  readonly stream?: Readable
  readonly headers?: Readonly<Record<string, string>>
  /** What is only known when the stream has ended; not every client hears of it. */
  readonly trailers?: Readonly<Record<string, () => string>>
  /** Who the caller of a public route turned out to be, for the records of what happened. */
  readonly callerId?: number
}

/** What the OpenAPI document says of a route that is no standard operation. */
export interface RouteDoc {
  readonly operationId: string
  readonly summary: string
  readonly tag: string
  readonly body?: z.ZodType
  readonly example?: unknown
  /** Status and body of a success. */
  readonly success: Readonly<Record<number, z.ZodType | null>>
  readonly refusals?: readonly number[]
  /** The type of its bodies; JSON unless said. */
  readonly mediaType?: string
  /** The body of a refusal where it is not that of the API. */
  readonly fault?: z.ZodType
}

/** A standard operation on a resource, or on the links in one of its fields: its definition tells the rest. */
export interface StandardDoc {
  readonly resource: Resource
  readonly verb: 'list' | 'get' | 'create' | 'upsert' | 'update' | 'delete' | 'delete_many'
  readonly field?: string
}

/**
 * One endpoint, whole: who may call it, how its request is read, what it does, how the outcome is answered.
 * Only `run` does I/O; that of a write stands in one transaction.
 */
// biome-ignore lint/suspicious/noExplicitAny: routes of all inputs and results stand in one list
export interface Route<I = any, R = any, P = any> {
  readonly method: Method
  /** Below the base path, Fastify style: `/tickets/:id`. */
  readonly path: string
  /** Where the path begins; `/api/v2` unless said. */
  readonly base?: string
  /** What the caller must hold; `null` needs a signed-in caller only, `'public'` not even that. */
  readonly permission: string | null | 'public'
  readonly doc: RouteDoc | StandardDoc
  /** A write whose statements each stand alone: it must not hold a connection while it does something else for long. */
  readonly isDetached?: boolean
  /** Whether it may change who callers are, or what they may do: what is remembered about them is read again afterwards. */
  readonly changesCallers?: boolean
  /** Whether it stays open to a session whose owner must change the password or set up a second factor first. */
  readonly liftsLimits?: boolean
  /** Whether it reads much for long, piece by piece. */
  readonly isExport?: boolean
  /** A type of body that is handed to `parse` as a stream, unread: it may be larger than memory. */
  readonly takes?: 'multipart/form-data' | 'anything'
  /** Whether HTTP Basic is taken too, for clients that know nothing else. */
  readonly takesBasic?: boolean
  /** Refuses a request by its head, so that nobody sends a body in vain. */
  admit?(request: Omit<Incoming, 'body'>): void
  parse(request: Incoming): I | Promise<I>
  /** Permissions that this very input needs beside the route's own. */
  guards?(input: I): readonly string[]
  /** What a write does before its transaction begins; `run` receives the result. */
  before?(ctx: Context, input: I): Promise<P>
  run(ctx: Context, input: I, prepared?: P): Promise<R>
  answer(result: R, ctx: Context, input: I): Answer
}

/** A write needs a transaction, and from a browser a proof that its own page sent it. */
export const isWrite = ({ method }: { method: string }): boolean => method !== 'GET' && method !== 'HEAD'

/** Any caller may be nobody where a route is public. */
export const NOBODY: Caller = { id: 0, permissions: new Set() }
