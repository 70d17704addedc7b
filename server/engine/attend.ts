import type { FastifyReply } from 'fastify'
import { clientGone, tooMany } from './errors.ts'
import { isWrite, type Route } from './route.ts'
import { duringWork, type Kind, type Owner, type Work } from './work.ts'

/** How many requests one caller may have under way, those that wait for a connection included. */
export const MOST_REQUESTS = 200
/** Seconds after which one who had too many may try again. */
const RETRY_AFTER = 2

/** Serves a request as the work of its caller: it has their share of the database, and ends early when its client gives up. */
export type Attend = <T>(owner: Owner, route: Route, reply: FastifyReply, serve: () => Promise<T>) => Promise<T>

/** Opens a count of the requests that each caller has under way. */
export function openAttendance(): Attend {
  const underWay = new Map<Owner, number>()
  return async (owner, route, reply, serve) => {
    const count = underWay.get(owner) ?? 0
    if (count >= MOST_REQUESTS) {
      throw tooMany(`You have ${MOST_REQUESTS} requests under way: wait for some of them to end.`, RETRY_AFTER)
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
    // A client may have gone before it was known who it is.
    if (reply.raw.destroyed) close()
    else reply.raw.once('close', close)
    try {
      return await duringWork(work, serve)
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

/** Statements that each stand alone are not stopped between two of them: what is half done would stay. */
const mayStop = (route: Route): boolean => !(isWrite(route) && route.isDetached)

/** What a route mostly does with the database; some reads are sent by POST. */
function kindOf(route: Route): Kind {
  if (route.isExport) return 'export'
  return isWrite(route) && !route.permission?.startsWith('read ') ? 'write' : 'read'
}
