import pg from 'pg'

const RETRY_MS = 1000

/** A connection outside the pool, for readiness checks and cancellations, which must not wait. */
export interface SideConnection {
  query(text: string, values?: readonly unknown[]): Promise<pg.QueryResult>
  close(): Promise<void>
}

/** Opens the connection on first use, and again after it was lost. */
export function openSideConnection(pool: pg.Pool): SideConnection {
  const state: { client?: Promise<pg.Client> | undefined; isClosed: boolean; failedAt: number } = {
    isClosed: false,
    failedAt: Number.NEGATIVE_INFINITY,
  }

  const connect = async (): Promise<pg.Client> => {
    // Copies of the pool's options do not include its password.
    const client = new pg.Client({ ...pool.options, password: pool.options.password, keepAlive: true })
    client.on('error', () => {})
    client.on('end', () => {
      state.client = undefined
    })
    try {
      await client.connect()
      return client
    } catch (error) {
      state.client = undefined
      state.failedAt = performance.now()
      await client.end().catch(() => {})
      throw error
    }
  }

  return {
    query: async (text, values = []) => {
      if (state.isClosed) throw new Error('Connection terminated')
      const isTooSoon = !state.client && performance.now() - state.failedAt < RETRY_MS
      if (isTooSoon) throw new Error('Connection terminated')
      state.client ??= connect()
      return (await state.client).query(text, [...values])
    },
    close: async () => {
      state.isClosed = true
      const client = await state.client?.catch(() => undefined)
      await client?.end().catch(() => {})
    },
  }
}
