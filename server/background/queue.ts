import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import { fromKysely, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'

/** The queue that delivers every run; a job has the id of its run. */
export const QUEUE = 'task-runs'

/** The channel that notifies workers of new and revoked runs: the payload is a run's id, or empty if there are jobs to fetch. */
export const CHANNEL = 'task_runs'

// The migrations create the schema: their error is clear if they lack the privilege.
const QUIET = { schema: 'jobs', createSchema: false, supervise: false, schedule: false }

/** The result of a change of jobs, which the queue's own type leaves out. */
export interface Changed {
  readonly affected: number
  /** The changed jobs. */
  readonly settled: readonly string[]
}

/** The queue in the transaction `db`, without a connection or state of its own. */
export const jobsIn = (db: Kysely<unknown>): PgBoss => new PgBoss({ ...QUIET, db: fromKysely(db), migrate: false })

/** Creates the tables of the queue if they are missing. Any number of processes may do so at the same time. */
export async function installQueue(db: Kysely<unknown>): Promise<void> {
  await db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${INSTALL_LOCK})`.execute(connection)
    const boss = new PgBoss({ ...QUIET, db: fromKysely(connection) })
    // Workers build what is left to build in the background, and log failures.
    boss.on('error', () => {})
    try {
      await boss.start()
      await boss.createQueue(QUEUE)
    } finally {
      await boss.stop({ graceful: false })
      // If a statement failed, its transaction is still open.
      await sql`rollback`.execute(connection)
      await sql`select pg_advisory_unlock(${INSTALL_LOCK})`.execute(connection)
    }
  })
}

/** Opens the dispatcher of a worker. It has its own connections, so that heartbeats never wait behind requests. */
export async function openQueue(connection: pg.PoolConfig, log: Logger): Promise<PgBoss> {
  // The queue passes on all options of a pool, including those that its type does not declare.
  const boss = new PgBoss({ ...connection, ...SETTINGS } as object)
  // Closing does not wait for the last connection, which the database may end first.
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
  // How often to check for missed heartbeats.
  superviseIntervalSeconds: 10,
  monitorIntervalSeconds: 10,
  maintenanceIntervalSeconds: 600,
  queueCacheIntervalSeconds: 3600,
  bamIntervalSeconds: 600,
  flowIntervalSeconds: 3600,
  monitorVacuum: false,
  warningQueueSize: 1_000_000,
}

// Any constant that no other lock in the database uses.
const INSTALL_LOCK = 0x636f7271
