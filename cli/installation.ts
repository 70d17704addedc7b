import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import { type Config, readConfig, root } from '../server/config.ts'
import { connect, migrate } from '../server/database/database.ts'
import { PERMISSIONS, SYSTEM_ADMIN } from '../server/domain/permissions.ts'
import type { Context } from '../server/engine/context.ts'
import { createLog } from '../server/http/log.ts'
import { openVault } from '../server/identity/access/vault.ts'
import { openPostgres } from '../server/ports/postgres.ts'
import { taskTypes } from '../server/tasks.ts'

/** The installation selected by the environment, with an open database. */
export interface Installation {
  readonly config: Config
  // biome-ignore lint/suspicious/noExplicitAny: tables are known by their definitions
  readonly db: Kysely<any>
  readonly pool: pg.Pool
  readonly isEmbedded: boolean
}

/** Opens the database of the installation for one command. A server may be using it. */
export async function withDatabase<T>(work: (installation: Installation) => Promise<T>): Promise<T> {
  const config = readConfig()
  const log = createLog('silent')
  const postgres = await openPostgres(config, log)
  try {
    const { db, pool, close } = connect(postgres.connection, { poolSize: 3, statementTimeoutMs: 0, log })
    try {
      return await work({ config, db, pool, isEmbedded: postgres.isEmbedded })
    } finally {
      await close()
    }
  } finally {
    await postgres.stop()
  }
}

/** The same, with the database migrated and seeded, as commands on users and tokens require. */
export function withInstallation<T>(work: (installation: Installation) => Promise<T>): Promise<T> {
  return withDatabase(async (installation) => {
    await migrate(installation.pool, `${root}/migrations`)
    const { prepare } = await import('../server/seed.ts')
    const { firstAdministrator } = await prepare(installation.db, installation.config)
    if (firstAdministrator && installation.config.adminPassword === undefined) {
      console.error(
        `Created the administrator ${firstAdministrator.username}, one-time password ${firstAdministrator.password}`,
      )
    }
    return work(installation)
  })
}

/**
 * Runs work in one transaction with the permissions of an administrator, because users who can run this command
 * control the machine.
 */
export async function asAdministrator<T>({ db, config }: Installation, work: (ctx: Context) => Promise<T>): Promise<T> {
  const vault = await openVault(config)
  const { resourceMap } = await import('../server/registry.ts')
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: number }>`
      select min(u.id) as id from users as u
      join role_users as l on l.target = u.id
      join roles as r on r.id = l.source
      where r.name = ${SYSTEM_ADMIN} and u.is_active`.execute(trx)
    const caller = { id: rows[0]?.id ?? 0, permissions: new Set(PERMISSIONS) }
    return work({ db: trx, vault, resources: resourceMap, taskTypes, caller, baseUrl: config.url ?? '' })
  })
}
