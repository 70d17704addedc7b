import pg from 'pg'
import type { Logger } from 'pino'

const RETRY_MS = 1000

/** A dedicated connection that receives the notifications of a channel. */
export interface Listener {
  /** False while the connection is down, when notifications may be lost. */
  isListening(): boolean
  close(): Promise<void>
}

/** Listens on a channel and reconnects when needed. `hear` is also called when the connection is lost or restored. */
export async function listen(pool: pg.Pool, channel: string, hear: () => void, log: Logger): Promise<Listener> {
  let current: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  let isClosed = false

  const connect = async (): Promise<void> => {
    // Copies of the pool's options do not include its password.
    const client = new pg.Client({ ...pool.options, password: pool.options.password, keepAlive: true })
    const lose = (error?: Error) => {
      if (current === client) {
        current = undefined
        hear()
      }
      if (!isClosed) log.warn(error ?? {}, `notifications on ${channel} are lost until the connection is restored`)
      client.end().catch(() => {})
      clearTimeout(retry)
      if (!isClosed) retry = setTimeout(connect, RETRY_MS).unref()
    }
    client.on('error', lose)
    client.on('end', () => current === client && lose())
    client.on('notification', hear)
    try {
      await client.connect()
      await client.query(`listen ${pg.escapeIdentifier(channel)}`)
      if (isClosed) return await client.end()
      hear()
      current = client
    } catch (error) {
      lose(error as Error)
    }
  }

  await connect()
  return {
    isListening: () => current !== undefined,
    close: async () => {
      isClosed = true
      clearTimeout(retry)
      const client = current
      current = undefined
      await client?.end().catch(() => {})
    },
  }
}
