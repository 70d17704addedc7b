import { createHash } from 'node:crypto'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { Lookup } from '../engine/context.ts'
import { PREPARED, UNREAD } from '../engine/select.ts'
import { isBackground, type Work, workNow } from '../engine/work.ts'
import type { Shares } from './shares.ts'

const CONNECTIONS = 2
const RETRY_MS = 1000

/** The pool as Kysely uses it, with its bypasses. */
export interface Lanes extends PostgresPool {
  readonly lookup: Lookup
  /** The number of requests waiting for a connection. */
  waiting(): number
}

/** Where connections come from, other than the pool for requests. */
interface Sources {
  /** For background work. */
  readonly background: pg.Pool
  readonly shares: Shares
  /** Cancels the running statement of a connection. */
  cancel(client: pg.PoolClient): void
}

/**
 * The pool as Kysely uses it, plus a fast lane. The engine marks look-ups by key, which are then planned once per
 * connection. Outside transactions they are pipelined on a few shared connections, so that look-ups that arrive
 * together cost one write and one wake-up of the database instead of one each. The other connections are shared out
 * among callers, and background work has its own pool.
 */
export function withLookups(pool: pg.Pool, { background, shares, cancel }: Sources): Lanes {
  const lane = openLane(pool)
  const types = unread(pool.options.types)
  const held = new WeakMap<pg.PoolClient, Held>()
  // Kysely identifies a connection by its client object, which must therefore stay the same.
  const wrapped = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  const wrap = (client: pg.PoolClient): PostgresPoolClient => {
    const own = { refusal: () => held.get(client)?.refusal(), release: (destroy?: boolean) => release(client, destroy) }
    const made = wrapped.get(client) ?? markReading(client, types, own)
    wrapped.set(client, made)
    return made
  }
  const release = (client: pg.PoolClient, destroy = false): void => {
    const { isCancelled, giveBack } = held.get(client)?.end() ?? { isCancelled: false, giveBack: () => {} }
    held.delete(client)
    // A late cancellation must not hit the next statement on this connection.
    client.release(destroy || isCancelled)
    giveBack()
  }
  const connect = async (): Promise<PostgresPoolClient> => {
    if (isBackground()) return wrap(await background.connect())
    const work = workNow()
    const giveBack = await shares.take(work)
    try {
      const client = await pool.connect()
      held.set(
        client,
        hold(work, giveBack, () => cancel(client)),
      )
      return wrap(client)
    } catch (error) {
      giveBack()
      throw error
    }
  }
  return {
    options: pool.options,
    connect,
    waiting: shares.waiting,
    lookup: (text, values) => lane.query({ name: nameOf(text), text, values: [...values] }),
    end: async () => {
      await lane.close()
      await Promise.all([pool.end(), background.end()])
    },
  }
}

/** A connection in use. */
interface Held {
  /** The error for further statements, if the client has given up. */
  refusal(): Error | undefined
  /** Called when the connection is returned. */
  end(): { readonly isCancelled: boolean; giveBack(): void }
}

/** A cancellation has no effect before the statement has started, so it is repeated. */
const CANCEL_AGAIN_MS = 500

/** Cancels a read once the client has given up. A write is left to finish. */
function hold(work: Work | undefined, giveBack: () => void, cancel: () => void): Held {
  const signal = work && work.kind !== 'write' ? work.signal : undefined
  const state: { repeating?: NodeJS.Timeout } = {}
  const giveUp = () => {
    cancel()
    state.repeating = setInterval(cancel, CANCEL_AGAIN_MS).unref()
  }
  if (signal?.aborted) giveUp()
  else signal?.addEventListener('abort', giveUp, { once: true })
  return {
    refusal: () => (signal?.aborted ? signal.reason : undefined),
    end: () => {
      signal?.removeEventListener('abort', giveUp)
      clearInterval(state.repeating)
      return { isCancelled: state.repeating !== undefined, giveBack }
    },
  }
}

/** Wraps a client so that it honours the engine's marks on statements. */
function markReading(
  client: pg.PoolClient,
  types: pg.CustomTypesConfig,
  { refusal, release }: { refusal(): Error | undefined; release(destroy?: boolean): void },
): PostgresPoolClient {
  const query = (text: unknown, values: unknown[] = []): unknown => {
    const refused = refusal()
    if (refused) return Promise.reject(refused)
    const marks = typeof text === 'string' ? text.slice(0, MARKS) : ''
    const isPrepared = marks.startsWith(PREPARED)
    const isUnread = marks.includes(UNREAD)
    if (!isPrepared && !isUnread) return client.query(text as string, values)
    const statement = { text: text as string, values, ...(isUnread && { types }) }
    return client.query(isPrepared ? { ...statement, name: nameOf(statement.text) } : statement)
  }
  // Kysely's interface has no named statements, but a pg client accepts every form.
  return { query: query as PostgresPoolClient['query'], release }
}

/** The engine's marks are at the very beginning of a statement. */
const MARKS = PREPARED.length + 1 + UNREAD.length

const JSONB: number = pg.types.builtins.JSONB

/** The same type parsers, except that JSON documents stay text. */
const unread = (types: pg.CustomTypesConfig = pg.types): pg.CustomTypesConfig => ({
  getTypeParser: (oid: number, format: 'text' | 'binary' = 'text') =>
    oid === JSONB ? (text: string) => text : types.getTypeParser(oid, format as 'text'),
})

interface Lane {
  /** Undefined while no connection is open; the pool serves the statement then. */
  query(statement: pg.QueryConfig): Promise<pg.QueryResult> | undefined
  close(): Promise<void>
}

interface Slot {
  client?: pg.Client | undefined
  pending: number
  triedAt: number
}

function openLane(pool: pg.Pool): Lane {
  const slots: Slot[] = Array.from({ length: CONNECTIONS }, () => ({ pending: 0, triedAt: 0 }))
  let isClosed = false

  const open = async (slot: Slot): Promise<void> => {
    slot.triedAt = Date.now()
    // Copies of the pool's options do not include its password.
    const client = new pg.Client({ ...pool.options, password: pool.options.password, pipeline: true })
    const lose = () => {
      if (slot.client === client) slot.client = undefined
    }
    client.on('error', lose)
    client.on('end', lose)
    try {
      await client.connect()
      await pool.options.onConnect?.(client)
      if (isClosed) await client.end()
      else slot.client = client
    } catch {
      await client.end().catch(() => {})
    }
  }

  return {
    query: (statement) => {
      for (const slot of slots) {
        if (!slot.client && !isClosed && Date.now() - slot.triedAt > RETRY_MS) void open(slot)
      }
      const [slot] = slots.filter(({ client }) => client).sort((a, b) => a.pending - b.pending)
      if (!slot?.client) return undefined
      slot.pending++
      return batched(slot.client, () => slot.client?.query(statement)).finally(() => slot.pending--)
    },
    close: async () => {
      isClosed = true
      await Promise.all(slots.map(({ client }) => client?.end().catch(() => {})))
    },
  }
}

const corked = new WeakSet<pg.Client>()

/**
 * Corks the socket until all requests that have arrived so far had their turn, then sends their statements in one
 * write.
 */
function batched(client: pg.Client, send: () => Promise<pg.QueryResult> | undefined): Promise<pg.QueryResult> {
  const { stream } = (
    client as unknown as { connection: { stream: NodeJS.WritableStream & { cork(): void; uncork(): void } } }
  ).connection
  if (!corked.has(client)) {
    corked.add(client)
    stream.cork()
    setImmediate(() => {
      corked.delete(client)
      stream.uncork()
    })
  }
  return send() ?? Promise.reject(new Error('Connection terminated'))
}

const names = new Map<string, string>()

function nameOf(text: string): string {
  const known = names.get(text)
  if (known) return known
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 20)
  names.set(text, name)
  return name
}
