import { spawn } from 'node:child_process'
import { chown, copyFile, open, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { type Cluster, dataArgument, diskFull, explainFailures } from './postgres-cluster.ts'
import { programEnvironment } from './postgres-programs.ts'
import { processName } from './process-state.ts'
import { StartError } from './start-error.ts'

/** A server process started by us. `failure` returns the reason once it has ended. */
export type Launched = { kill(): void; failure(): Promise<string | undefined> }

const LOG_LIMIT = 16 * 1024 ** 2

/** Tries to connect: "absent" if nothing listens, "busy" while the server starts, recovers or stops. */
export async function knock(cluster: Cluster): Promise<pg.Client | 'absent' | 'busy'> {
  const client = new pg.Client({
    ...cluster.connection,
    application_name: 'corvus lease',
    connectionTimeoutMillis: 10_000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end().catch(() => {})
    const { code = '', message } = error as NodeJS.ErrnoException
    if (['ENOENT', 'ECONNREFUSED'].includes(code)) return 'absent'
    // All other errors of PostgreSQL or the socket are temporary, except a rejection of our credentials.
    if (!/^28/.test(code) && code !== 'EACCES' && code !== 'EPERM') return 'busy'
    throw new StartError(`The embedded PostgreSQL in ${dirname(cluster.folder)} rejects Corvus: ${message}.`)
  }
}

/** The process id of the server that holds the data directory, if it is running. */
export async function runningServer(cluster: Cluster): Promise<number | undefined> {
  const pid = await lockHolder(cluster)
  // After a restart of the machine or container, the process id may belong to another program.
  return pid !== undefined && (await processName(pid)) === 'postgres' ? pid : undefined
}

/** Starts the server. `knock` tells when it is ready. */
export async function launch(cluster: Cluster, settings: Record<string, string>): Promise<Launched> {
  await releaseReusedLock(cluster)
  await boundLog(cluster)
  const log = await explainFailures(dirname(cluster.log), () => openLog(cluster))
  const start = (await log.stat()).size
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(join(cluster.programs.folder, 'postgres'), ['-D', dataArgument(cluster.folder), ...args], {
    ...cluster.account,
    cwd: cluster.folder,
    env: programEnvironment,
    stdio: ['ignore', log.fd, log.fd],
    // A session of its own: Ctrl-C in the terminal reaches Corvus only, which stops the server after the last
    // request.
    detached: true,
  })
  child.unref()
  let ended: string | undefined
  child.on('error', (error) => (ended = error.message))
  child.on('exit', (code, signal) => (ended ??= `it ended with ${signal ?? `code ${code}`}`))
  await log.close()
  return {
    kill: () => child.kill('SIGINT'),
    failure: async () => ended && ((await lastFatal(cluster.log, start)) ?? ended),
  }
}

/** Limits the log to one file and one predecessor. The server keeps writing to the same file. */
export async function boundLog(cluster: Cluster): Promise<void> {
  const size = await stat(cluster.log).then(
    (log) => log.size,
    () => 0,
  )
  if (size <= LOG_LIMIT) return
  await copyFile(cluster.log, `${cluster.log}.1`)
  await truncate(cluster.log)
}

async function openLog(cluster: Cluster) {
  const log = await open(cluster.log, 'a', 0o600)
  // If root started it once in a user's folder, the log must stay writable for that user.
  const owner = await stat(dirname(cluster.log))
  if (process.geteuid?.() === 0) await chown(cluster.log, owner.uid, owner.gid)
  return log
}

async function lastFatal(log: string, start: number): Promise<string | undefined> {
  const text = (await readFile(log)).subarray(start).toString()
  if (diskFull.test(text)) return 'the disk is full'
  // Our own connection attempts cause "FATAL: the database system is starting up", which is never the reason.
  const line = text.split('\n').findLast((candidate) => /(FATAL|PANIC):(?!\s+the database system is)/.test(candidate))
  return line?.replace(/^.*?(FATAL|PANIC):\s*/, '')
}

async function lockHolder(cluster: Cluster): Promise<number | undefined> {
  const text = await readFile(join(cluster.folder, 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Math.abs(Number.parseInt(text, 10))
  return pid > 0 ? pid : undefined
}

/**
 * Clears a lock file that PostgreSQL would respect forever: its holder is dead, but the process id belongs to another
 * process now, as happens at every restart of a container. PostgreSQL treats its parent's id as stale, and then still
 * checks whether old backends use the shared memory named in the file.
 */
async function releaseReusedLock(cluster: Cluster): Promise<void> {
  const path = join(cluster.folder, 'postmaster.pid')
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined || (await runningServer(cluster)) !== undefined) return
  if (text.trim() === '') return rm(path, { force: true })
  const pid = await lockHolder(cluster)
  if (pid === undefined || !isTaken(pid)) return
  await writeFile(path, text.replace(/^-?\d+/, String(process.pid)))
  await rm(join(cluster.folder, '.s.PGSQL.5432.lock'), { force: true })
}

function isTaken(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
