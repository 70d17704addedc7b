import type pg from 'pg'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { openEmbedded } from './postgres-embedded.ts'
import { openExternal } from './postgres-external.ts'

/** A running PostgreSQL. `stop` stops it if it is embedded and has no other users. */
export type Postgres = { connection: pg.PoolConfig; isEmbedded: boolean; stop(): Promise<void> }

/** Opens the operator's PostgreSQL if DATABASE_URL is set, otherwise the embedded one in the data folder. */
export async function openPostgres(
  config: Pick<Config, 'databaseUrl' | 'dataFolder'>,
  log: Logger,
  signal: AbortSignal = new AbortController().signal,
): Promise<Postgres> {
  if (config.databaseUrl !== undefined) return openExternal(config.databaseUrl)
  return openEmbedded(config.dataFolder, log, signal)
}
