import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import { fromKysely, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'

/** The queue that delivers every run; a job has the id of its run. */
export const QUEUE = 'task-runs'

/** Where workers hear of new and revoked runs: the payload is a run's id, or empty when there is something to fetch. */
export const CHANNEL = 'task_runs'

// The schema comes with the migrations, which say it clearly when they may not make it.
const QUIET = { schema: 'jobs', createSchema: false, supervise: false, schedule: false }

/** What the queue answers to a change of jobs; its own type leaves this out. */
export interface Changed {
  readonly affected: number
  /** The jobs that were changed. */
  readonly settled: readonly string[]
}

/** Jobs in the transaction `db`: holds no connection and no state of its own. */
export const jobsIn = (db: Kysely<unknown>): PgBoss => new PgBoss({ ...QUIET, db: fromKysely(db), migrate: false })

/** Makes the tables of the queue where they are not there yet; any number of processes may do so at once. */
export async function installQueue(db: Kysely<unknown>): Promise<void> {
  await db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${INSTALL_LOCK})`.execute(connection)
    const boss = new PgBoss({ ...QUIET, db: fromKysely(connection) })
    // What it may have to build in the background is the workers' affair, and they say so when it fails.
    boss.on('error', () => {})
    try {
      await boss.start()
      await boss.createQueue(QUEUE)
    } finally {
      await boss.stop({ graceful: false })
      // Where a statement failed, its transaction is still open.
      await sql`rollback`.execute(connection)
      await sql`select pg_advisory_unlock(${INSTALL_LOCK})`.execute(connection)
    }
  })
}

/** Opens the dispatcher of a worker. It has connections of its own, so that heartbeats never wait behind requests. */
export async function openQueue(connection: pg.PoolConfig, log: Logger): Promise<PgBoss> {
  // The options of a pool are more than the queue declares, and it passes all of them on.
  const boss = new PgBoss({ ...connection, ...SETTINGS } as object)
  // Closing does not wait for the last connection to be gone, which the database may end first.
  let isStopped = false
  boss.on('stopped', () => {
    isStopped = true
  })
  boss.on('error', (error) => isStopped || log.warn(error, 'the job queue had an error'))
  boss.on('warning', (warning) => log.warn(warning, 'the job queue warns'))
  return boss.start()
}

const SETTINGS = {
  ...QUIET,
  application_name: 'corvus jobs',
  max: 2,
  idleTimeoutMillis: 60_000,
  supervise: true,
  // How often somebody looks whether a worker has missed its heartbeat.
  superviseIntervalSeconds: 10,
  monitorIntervalSeconds: 10,
  maintenanceIntervalSeconds: 600,
  queueCacheIntervalSeconds: 3600,
  bamIntervalSeconds: 600,
  flowIntervalSeconds: 3600,
  monitorVacuum: false,
  warningQueueSize: 1_000_000,
}

// Any constant will do, as long as nothing else in the database locks by it.
const INSTALL_LOCK = 0x636f7271
