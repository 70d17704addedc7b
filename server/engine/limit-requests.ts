import type { FastifyReply } from 'fastify'
import { clientGone, tooMany } from './errors.ts'
import { isWrite, type Route } from './route.ts'
import { duringWork, type Kind, type Owner, type Work } from './work.ts'

/** The maximum number of concurrent requests per caller, including those that wait for a connection. */
export const MAX_CONCURRENT_REQUESTS = 200
/** Seconds after which a caller with too many requests may try again. */
const RETRY_AFTER_SECONDS = 2

/** Serves a request as work of its caller, within the caller's share of the database. The work ends early when the client disconnects. */
export type ServeLimited = <T>(
  owner: Owner,
  route: Route,
  reply: FastifyReply,
  serve: (signal: AbortSignal) => Promise<T>,
) => Promise<T>

/** Counts the concurrent requests of each caller. */
export function limitRequests(): ServeLimited {
  const underWay = new Map<Owner, number>()
  return async (owner, route, reply, serve) => {
    const count = underWay.get(owner) ?? 0
    if (count >= MAX_CONCURRENT_REQUESTS) {
      throw tooMany(
        `You have ${MAX_CONCURRENT_REQUESTS} concurrent requests: wait for some of them to finish.`,
        RETRY_AFTER_SECONDS,
      )
    }
    underWay.set(owner, count + 1)
    const gone = new AbortController()
    const work: Work = { owner, kind: kindOf(route), signal: gone.signal, held: 0, isOver: false }
    const state = { isClosed: false, isServed: false }
    const close = () => {
      if (!reply.raw.writableFinished && mayStop(route)) gone.abort(clientGone())
      state.isClosed = true
      work.isOver = state.isServed
    }
    // The client may have disconnected before it was authenticated.
    if (reply.raw.destroyed) close()
    else reply.raw.once('close', close)
    try {
      return await duringWork(work, () => serve(gone.signal))
    } catch (error) {
      throw gone.signal.aborted ? clientGone() : error
    } finally {
      state.isServed = true
      work.isOver = state.isClosed
      const rest = (underWay.get(owner) ?? 1) - 1
      if (rest > 0) underWay.set(owner, rest)
      else underWay.delete(owner)
    }
  }
}

/** Detached writes are not aborted between two statements, which would leave their work half done. */
const mayStop = (route: Route): boolean => !(isWrite(route) && route.isDetached) || route.endsWithClient === true

/** What a route mainly does with the database; some reads are sent by POST. */
function kindOf(route: Route): Kind {
  if (route.isExport) return 'export'
  return isWrite(route) && !route.permission?.startsWith('read ') ? 'write' : 'read'
}
