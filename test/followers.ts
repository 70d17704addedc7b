import { type Kysely, sql } from 'kysely'
import { pino } from 'pino'
import { claimFollowers, releaseClaim } from '../server/background/followers/claims.ts'
import type { Follower } from '../server/background/followers/follower.ts'
import { makeId } from '../server/engine/ids.ts'
import { openVault } from '../server/identity/access/vault.ts'
import { resourceMap } from '../server/registry.ts'
import type { Server } from '../server/server.ts'
import { taskTypes } from '../server/tasks.ts'
import type { startApp } from './app.ts'
import { until } from './until.ts'

/** Waits until all changes can be read. Until then, an older transaction in any database of the server delays them. */
export async function untilReadable(db: Kysely<unknown>): Promise<void> {
  await until(async () => {
    const { rows } = await sql<{ is_readable: boolean }>`
      select not exists (
        select from changes where xact >= pg_snapshot_xmin(pg_current_snapshot())::text::bigint) as is_readable`.execute(
      db,
    )
    return rows[0]?.is_readable
  }, 'a transaction does not end')
}

/** Makes a follower handle all changes that can be read now. */
export async function catchUp(server: Server, { name, advance }: Follower): Promise<void> {
  const claim = makeId()
  const surroundings = {
    server,
    claim,
    log: pino({ level: 'silent' }),
    signal: new AbortController().signal,
    reading: <T>(read: () => Promise<T>) => read(),
  }
  for (const owner of await claimFollowers(server.db, { name, claim }, 1)) {
    while (await advance(surroundings, owner)) {}
    await releaseClaim(server.db, { name, owner, claim })
  }
}

/** The server of an application, as its followers use it. */
export const serverOf = async ({ db, config }: Awaited<ReturnType<typeof startApp>>): Promise<Server> => ({
  db,
  resources: resourceMap,
  taskTypes,
  vault: await openVault(config),
  publicUrl: config.url,
})
