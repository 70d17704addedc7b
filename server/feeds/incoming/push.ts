import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { z } from 'zod'
import { ApiError, badRequest, conflict, notFound } from '../../engine/errors.ts'
import { toUrl } from '../../engine/reference.ts'
import type { Context } from '../../engine/resource.ts'
import { retried } from '../../engine/retried.ts'
import type { Incoming, Route } from '../../engine/route.ts'
import { blobsOf, keepBlobs } from '../../intelligence/stored-blobs/store.ts'
import { type Draft, TooLarge } from '../../ports/blobs.ts'
import { feedIn } from './run.ts'
import { startFeedRun, takeIn } from './take-in.ts'

/** The transport of feeds that others send to. */
export const PUSH = 'eiq.incoming-transports.push'

interface Pushed {
  readonly isNew: boolean
  readonly blob: string
  readonly task_run: string | null
}

const answered = z.object({ data: z.object({ blob: z.url(), task_run: z.url().nullable() }) })

/** Takes what somebody sends to a feed, as it comes. */
export const pushToFeed: Route<Incoming, Pushed> = {
  method: 'POST',
  path: '/incoming-feeds/:id/push',
  permission: 'modify incoming-feeds',
  doc: {
    operationId: 'push_incoming_feeds',
    summary: 'Send content of any type to an incoming feed with the push transport; `?name=` says what it is called',
    tag: 'incoming_feeds',
    success: { 200: answered, 202: answered },
    refusals: [400, 404, 409, 413],
  },
  takes: 'anything',
  isDetached: true,
  // The request lets go of its body once it has been parsed.
  parse: ({ params, query, headers, address, body }) => ({ params, query, headers, address, body }),
  run: async (ctx, request) => {
    const feed = feedIn(ctx, request.params.id)
    await requirePush(ctx, feed)
    await using draft = await receive(ctx, request)
    if (draft.size === 0) throw badRequest('The body is empty.')
    await keepBlobs(ctx, [draft])
    const name = request.query.name?.[0] || 'Sent without a name'
    const contentType = String(request.headers['content-type'] ?? '') || null
    const transact = () =>
      ctx.db.transaction().execute(async (db) => {
        const inside = { ...ctx, db, lookup: undefined }
        const { blob, isNew } = await takeIn(inside, feed, draft, { name, contentType })
        return { blob, isNew, run: isNew ? await startFeedRun(inside, feed, { collect: false }) : null }
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

/** Before a byte of the body is read. */
async function requirePush({ db }: Context, id: number): Promise<void> {
  const { rows } = await sql<{ name: string; transport_type: string; is_active: boolean }>`
    select name, transport_type, is_active from incoming_feeds where id = ${id}`.execute(db)
  const [feed] = rows
  if (!feed) throw notFound(id)
  if (feed.transport_type !== PUSH)
    throw conflict(`The incoming feed '${feed.name}' fetches by itself: its transport is not push.`)
  if (!feed.is_active) throw conflict(`The incoming feed '${feed.name}' is not active.`)
}

async function receive(ctx: Context, { body, headers }: Incoming): Promise<Draft> {
  const { largestFile = Number.POSITIVE_INFINITY } = ctx
  // What says of itself that it is too large need not be read to the end to be refused.
  if (Number(headers['content-length'] ?? 0) > largestFile) throw tooLarge(largestFile)
  const sent = body instanceof Readable ? body : Readable.from([])
  try {
    return await blobsOf(ctx).receive(arriving(sent), largestFile)
  } catch (error) {
    // The answer goes out by the connection that the rest still comes in by.
    if (!sent.destroyed) sent.resume()
    throw error instanceof TooLarge ? tooLarge(error.mostBytes) : error
  }
}

/** A client that sends nothing for so long is gone. */
const PATIENCE_MS = 60_000

/** What is on its way in; the connection outlasts it, so that whoever sends too much is told so. */
export async function* arriving(body: Readable): AsyncGenerator<Buffer> {
  const pieces = body.iterator({ destroyOnReturn: false })
  try {
    for (;;) {
      const { done, value } = await inTime(pieces.next().catch(brokenOff))
      if (done) return
      yield value
    }
  } finally {
    // It lets go of the body; one that is late does so when its connection ends.
    void pieces.return?.()
  }
}

function inTime<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(late.reject, PATIENCE_MS, new ApiError(408, 'The rest of the body did not arrive in time.'))
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}

function brokenOff(): never {
  throw badRequest('The body was broken off before its end.')
}

const tooLarge = (mostBytes: number): ApiError => new ApiError(413, `The body must be at most ${mostBytes} bytes.`)
