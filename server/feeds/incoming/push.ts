import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../engine/context.ts'
import { ApiError, badRequest, conflict, notFound } from '../../engine/errors.ts'
import { toUrl } from '../../engine/reference.ts'
import { retried } from '../../engine/retried.ts'
import type { Incoming, Route } from '../../engine/route.ts'
import { blobsOf, keepBlobs } from '../../intelligence/stored-blobs/store.ts'
import { type Draft, TooLarge } from '../../ports/blobs.ts'
import { parseFeedId } from './run-route.ts'
import { startFeedRun } from './start-feed-run.ts'
import { storeArrival } from './store-arrival.ts'

/** The transport of feeds that clients send content to. */
export const PUSH = 'eiq.incoming-transports.push'

interface Pushed {
  readonly isNew: boolean
  readonly blob: string
  readonly task_run: string | null
}

const pushResult = z.object({ data: z.object({ blob: z.url(), task_run: z.url().nullable() }) })

/** The endpoint that accepts content for a feed, unmodified. */
export const pushToFeed: Route<Incoming, Pushed> = {
  method: 'POST',
  path: '/incoming-feeds/:id/push',
  permission: 'modify incoming-feeds',
  doc: {
    operationId: 'push_incoming_feeds',
    summary: 'Send content of any type to an incoming feed with the push transport; `?name=` sets its name',
    tag: 'incoming_feeds',
    success: { 200: pushResult, 202: pushResult },
    refusals: [400, 404, 409, 413],
  },
  takes: 'anything',
  isDetached: true,
  // The request drops its body after parsing.
  parse: ({ params, query, headers, address, body }) => ({ params, query, headers, address, body }),
  run: async (ctx, request) => {
    const feed = parseFeedId(ctx, request.params.id)
    await requirePush(ctx, feed)
    await using draft = await receive(ctx, request)
    if (draft.size === 0) throw badRequest('The body is empty.')
    await keepBlobs(ctx, [draft])
    const name = request.query.name?.[0] || 'Sent without a name'
    const contentType = String(request.headers['content-type'] ?? '') || null
    const transact = () =>
      ctx.db.transaction().execute(async (db) => {
        const within = { ...ctx, db, lookup: undefined }
        const { blob, isNew } = await storeArrival(within, feed, draft, { name, contentType })
        return { blob, isNew, run: isNew ? await startFeedRun(within, feed, { collect: false }) : null }
      })
    const { blob, isNew, run } = await retried(transact)
    return {
      isNew,
      blob: `${toUrl(ctx.baseUrl, 'incoming_feeds', feed)}/blobs/${blob}`,
      task_run: run === null ? null : toUrl(ctx.baseUrl, 'task_runs', run),
    }
  },
  answer: ({ isNew, ...data }) => ({ status: isNew ? 202 : 200, body: { data } }),
}

/** Refuses a request before its body is read. */
async function requirePush({ db }: Context, id: number): Promise<void> {
  const { rows } = await sql<{ name: string; transport_type: string; is_active: boolean }>`
    select name, transport_type, is_active from incoming_feeds where id = ${id}`.execute(db)
  const [feed] = rows
  if (!feed) throw notFound(id)
  if (feed.transport_type !== PUSH)
    throw conflict(`The incoming feed '${feed.name}' does not accept content: its transport is not push.`)
  if (!feed.is_active) throw conflict(`The incoming feed '${feed.name}' is not active.`)
}

async function receive(ctx: Context, { body, headers }: Incoming): Promise<Draft> {
  const { largestFile = Number.POSITIVE_INFINITY } = ctx
  // A body whose declared length is too large is refused without reading it.
  if (Number(headers['content-length'] ?? 0) > largestFile) throw tooLarge(largestFile)
  const sent = body instanceof Readable ? body : Readable.from([])
  try {
    return await blobsOf(ctx).receive(readBody(sent), largestFile)
  } catch (error) {
    // The rest of the body has to be read before the client reads the response.
    if (!sent.destroyed) sent.resume()
    throw error instanceof TooLarge ? tooLarge(error.mostBytes) : error
  }
}

/** A client that sends nothing for this long is considered gone. */
const MAX_IDLE_MS = 60_000

/** The chunks of a body. Its connection stays open afterwards, so that a client that sends too much receives the error. */
export async function* readBody(body: Readable): AsyncGenerator<Buffer> {
  const pieces = body.iterator({ destroyOnReturn: false })
  try {
    for (;;) {
      const { done, value } = await inTime(pieces.next().catch(cutOff))
      if (done) return
      yield value
    }
  } finally {
    // Releases the body; one that is late is released when its connection ends.
    void pieces.return?.()
  }
}

function inTime<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(late.reject, MAX_IDLE_MS, new ApiError(408, 'The rest of the body did not arrive in time.'))
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}

function cutOff(): never {
  throw badRequest('The body was cut off before its end.')
}

const tooLarge = (mostBytes: number): ApiError => new ApiError(413, `The body must be at most ${mostBytes} bytes.`)
