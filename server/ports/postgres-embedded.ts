import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { type Cluster, openCluster } from './postgres-cluster.ts'
import { boundLog, knock, type Launched, launch, runningServer } from './postgres-server.ts'
import { measureMachine, serverSettings } from './postgres-settings.ts'
import { ends } from './process-state.ts'
import { StartError } from './start-error.ts'

// Every Corvus process holds this lock, shared, in the database `postgres` while it uses the server. PostgreSQL
// releases it when a process dies in any way, so a process that gets it exclusively is the last one and may stop the
// server.
const LEASE = 0x636f7276

/**
 * Runs the PostgreSQL of the data folder: creates, starts or adopts it, restarts it when it dies, and stops it with
 * its last user.
 */
export async function openEmbedded(
  dataFolder: string,
  log: Logger,
  signal: AbortSignal,
  overrides: Record<string, string> = {},
) {
  const cluster = await openCluster(dataFolder, signal)
  const settings = { ...serverSettings(await measureMachine(dataFolder)), ...overrides }
  const closing = new AbortController()
  let lease: pg.Client | undefined = await takeLease(cluster, settings, log, signal)
  try {
    await createDatabase(lease)
  } catch (error) {
    await giveBack(cluster, lease, log)
    throw new StartError(`PostgreSQL could not create the Corvus database: ${(error as Error).message}.`)
  }
  let restoring: Promise<void> | undefined
  watch(lease)
  const housekeeping = setInterval(() => boundLog(cluster).catch((error) => log.warn(error)), 3_600_000).unref()

  function watch(client: pg.Client): void {
    client.once('end', () => {
      lease = undefined
      if (!closing.signal.aborted) restoring = restore()
    })
  }

  async function restore(): Promise<void> {
    log.warn('the connection to PostgreSQL was lost')
    for (let pause = 100; !closing.signal.aborted; pause = Math.min(pause * 2, 10_000)) {
      try {
        lease = await takeLease(cluster, settings, log, closing.signal)
        watch(lease)
        log.info('PostgreSQL is available again')
        return
      } catch (error) {
        if (!closing.signal.aborted) log.error(error, 'PostgreSQL could not be restarted')
        await setTimeout(pause, undefined, { signal: closing.signal }).catch(() => {})
      }
    }
  }

  return {
    isEmbedded: true,
    connection: { ...cluster.connection, database: 'corvus' },
    stop: async () => {
      if (closing.signal.aborted) return
      closing.abort()
      clearInterval(housekeeping)
      await restoring
      if (lease !== undefined) await giveBack(cluster, lease, log)
      cluster.close()
    },
  }
}

async function takeLease(
  cluster: Cluster,
  settings: Record<string, string>,
  log: Logger,
  signal: AbortSignal,
): Promise<pg.Client> {
  let launched: Launched | undefined
  let patience = Date.now() + 60_000
  let nextNotice = Date.now() + 3_000
  let pause = 25
  try {
    for (;;) {
      signal.throwIfAborted()
      const answer = await knock(cluster)
      if (typeof answer === 'object') {
        const isHeld = await answer.query(`select pg_advisory_lock_shared(${LEASE})`).catch(() => undefined)
        if (isHeld) return answer
        // Its last user has just stopped it.
        await answer.end().catch(() => {})
      }
      const failure = await launched?.failure()
      if (failure !== undefined) {
        // Either another Corvus process was faster, or backends of a killed server are still shutting down.
        if (!/lock file|still in use/.test(failure) || Date.now() > patience) {
          throw new StartError(`PostgreSQL did not start: ${failure} (its log is ${cluster.log}).`)
        }
        launched = undefined
        await setTimeout(200, undefined, { signal })
      } else if (answer === 'absent' && launched === undefined && (await runningServer(cluster)) === undefined) {
        launched = await launch(cluster, settings)
      }
      // Recovery may take any time, but a server that does not respond at all is given up on.
      if (answer === 'busy') patience = Date.now() + 60_000
      if (Date.now() > patience) throw new StartError(`PostgreSQL does not respond (its log is ${cluster.log}).`)
      if (Date.now() > nextNotice) {
        log.info('waiting for PostgreSQL to start or recover')
        nextNotice = Date.now() + 10_000
      }
      await setTimeout(pause, undefined, { signal })
      // Every attempt during a long recovery adds a line to PostgreSQL's log.
      pause = Math.min(pause * 1.1, 500)
    }
  } catch (error) {
    launched?.kill()
    throw error
  }
}

async function createDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(`select from pg_database where datname = 'corvus'`)
  if (rowCount) return
  await client.query('create database corvus').catch((error) => {
    // Another process created it at the same time: duplicate_database, or unique_violation in the catalog.
    if (error.code !== '42P04' && error.code !== '23505') throw error
  })
}

async function giveBack(cluster: Cluster, lease: pg.Client, log: Logger): Promise<void> {
  const isLast = await release(lease).catch(() => false)
  const pid = isLast ? await runningServer(cluster) : undefined
  if (pid === undefined) return lease.end().catch(() => {})
  if (await ends(pid, 'SIGINT', 60_000)) return
  log.warn('PostgreSQL takes too long to stop; it is stopped immediately and will recover at the next start')
  await ends(pid, 'SIGQUIT', 5_000)
}

async function release(lease: pg.Client): Promise<boolean> {
  await lease.query(`select pg_advisory_unlock_shared(${LEASE})`)
  const { rows } = await lease.query(`select pg_try_advisory_lock(${LEASE}) as is_last`)
  return rows[0].is_last
}
