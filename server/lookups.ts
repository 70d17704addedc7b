import { createHash } from 'node:crypto'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { PREPARED } from './engine/select.ts'

const CONNECTIONS = 2
const RETRY_MS = 1000

/**
 * The pool as Kysely takes it, with a fast lane: look-ups by key, which the engine marks, are planned once per connection,
 * and outside of transactions they share a few connections on which many are under way at a time. Look-ups that
 * arrive together then cost one write and one wake-up of the database instead of one each.
 */
export function withLookups(pool: pg.Pool): PostgresPool {
  const lane = openLane(pool)
  return {
    options: pool.options,
    connect: async () => lazyClient(pool, lane),
    end: async () => {
      await lane.close()
      await pool.end()
    },
  }
}

/** Takes a connection from the pool only when a statement comes that needs one of its own. */
function lazyClient(pool: pg.Pool, lane: Lane): PostgresPoolClient {
  let own: pg.PoolClient | undefined
  const query = async (text: unknown, values: unknown[] = []): Promise<unknown> => {
    const isLookup = typeof text === 'string' && text.startsWith(PREPARED)
    const statement = isLookup ? { name: nameOf(text), text, values } : undefined
    const shared = statement && !own ? lane.query(statement) : undefined
    if (shared) return shared
    own ??= await pool.connect()
    return statement ? own.query(statement) : own.query(text as string, values)
  }
  return { query: query as PostgresPoolClient['query'], release: (destroy?: boolean) => own?.release(destroy) }
}

interface Lane {
  /** Undefined while no connection is up: the pool has to serve then. */
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
    // The pool hides its password from copies of its options.
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

/** Holds back what is written until all requests that have arrived by now had their turn, and sends it as one. */
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
