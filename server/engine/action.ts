import { z } from 'zod'
import { faultsOf, messageOf } from './body.ts'
import type { Context } from './context.ts'
import { badRequest } from './errors.ts'
import type { Answer, Incoming, Method, Route } from './route.ts'

interface Action<B extends z.ZodType, R> {
  readonly name: string
  readonly doc: string
  readonly tag: string
  readonly method: Method
  readonly path: string
  readonly base?: string
  readonly permission: Route['permission']
  readonly isDetached?: boolean
  readonly changesCallers?: boolean
  readonly liftsLimits?: boolean
  /** The body, without its `data` wrapper. */
  readonly body?: B
  readonly example?: z.input<B>
  /** What `data` holds in a success. */
  readonly result?: z.ZodType
  readonly status?: number
  readonly refusals?: readonly number[]
  run(ctx: Context, input: z.output<B>, request: Incoming): Promise<R>
  /** Builds the response of a success that says more than its data. */
  answer?(result: R, ctx: Context): Answer
}

/** Makes a route for a verb that is not an operation of a resource. */
export function defineAction<R, B extends z.ZodType = z.ZodUndefined>(action: Action<B, R>): Route {
  const { name, doc, tag, method, path, base, permission, body, example, result, status = result ? 200 : 204 } = action
  return {
    method,
    path,
    ...(base !== undefined && { base }),
    permission,
    ...(action.isDetached && { isDetached: true }),
    ...(action.changesCallers && { changesCallers: true }),
    ...(action.liftsLimits && { liftsLimits: true }),
    get doc() {
      return {
        operationId: name,
        summary: doc,
        tag,
        ...(body && { body: z.object({ data: body }), example: { data: example } }),
        success: { [status]: result ? z.object({ data: result }) : null },
        refusals: [...(body ? [400] : []), ...(action.refusals ?? [])],
      }
    },
    parse: (request) => ({ input: body ? parseBody(body, request.body) : undefined, request }),
    run: (ctx, { input, request }: { input: z.output<B>; request: Incoming }) => action.run(ctx, input, request),
    answer: (made: R, ctx) => action.answer?.(made, ctx) ?? { status, ...(result && { body: { data: made } }) },
  }
}

/** Reads a body, in its `data` wrapper or bare. */
export function parseBody<B extends z.ZodType>(schema: B, body: unknown): z.output<B> {
  const isWrapped = typeof body === 'object' && body !== null && Object.hasOwn(body, 'data')
  const parsed = schema.safeParse(isWrapped ? (body as { data: unknown }).data : body, { error: messageOf })
  if (!parsed.success) throw badRequest(faultsOf(parsed.error, isWrapped ? ['data'] : []))
  return parsed.data
}
