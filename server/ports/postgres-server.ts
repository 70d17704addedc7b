import { spawn } from 'node:child_process'
import { chown, copyFile, open, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { type Cluster, dataArgument, diskFull, mendable } from './postgres-cluster.ts'
import { programEnvironment } from './postgres-programs.ts'
import { processName } from './process-state.ts'
import { StartError } from './start-error.ts'

/** A server process of ours; `failure` gives the reason once it has ended. */
export type Launched = { kill(): void; failure(): Promise<string | undefined> }

const LOG_LIMIT = 16 * 1024 ** 2

/** Asks the server for a connection: "absent" when nobody listens, "busy" when it starts, recovers or stops. */
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
    // Everything else that PostgreSQL or the socket says passes with time, except a refusal of who we are.
    if (!/^28/.test(code) && code !== 'EACCES' && code !== 'EPERM') return 'busy'
    throw new StartError(`The embedded PostgreSQL in ${dirname(cluster.folder)} refuses Corvus: ${message}.`)
  }
}

/** The process id of the server that holds the data directory, if it is running. */
export async function runningServer(cluster: Cluster): Promise<number | undefined> {
  const pid = await lockHolder(cluster)
  // After a restart of the machine or container the number may belong to any other program.
  return pid !== undefined && (await processName(pid)) === 'postgres' ? pid : undefined
}

/** Starts the server; it is ready when `knock` says so. */
export async function launch(cluster: Cluster, settings: Record<string, string>): Promise<Launched> {
  await releaseReusedLock(cluster)
  await boundLog(cluster)
  const log = await mendable(dirname(cluster.log), () => openLog(cluster))
  const start = (await log.stat()).size
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(join(cluster.programs.folder, 'postgres'), ['-D', dataArgument(cluster.folder), ...args], {
    ...cluster.account,
    cwd: cluster.folder,
    env: programEnvironment,
    stdio: ['ignore', log.fd, log.fd],
    // Its own session: Ctrl-C in the terminal reaches Corvus, which stops it after the last request.
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

/** Keeps the log to one file and one predecessor of bounded size; the server goes on writing to the same file. */
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
  // Started once by root in a user's folder, it must stay writable for the user.
  const owner = await stat(dirname(cluster.log))
  if (process.geteuid?.() === 0) await chown(cluster.log, owner.uid, owner.gid)
  return log
}

async function lastFatal(log: string, start: number): Promise<string | undefined> {
  const text = (await readFile(log)).subarray(start).toString()
  if (diskFull.test(text)) return 'the disk is full'
  // Our own knocks leave "FATAL: the database system is starting up" behind, which is the cause of nothing.
  const line = text.split('\n').findLast((candidate) => /(FATAL|PANIC):(?!\s+the database system is)/.test(candidate))
  return line?.replace(/^.*?(FATAL|PANIC):\s*/, '')
}

async function lockHolder(cluster: Cluster): Promise<number | undefined> {
  const text = await readFile(join(cluster.folder, 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Math.abs(Number.parseInt(text, 10))
  return pid > 0 ? pid : undefined
}

/**
 * Clears a lock that PostgreSQL would respect for ever: its holder is dead, but the number now belongs to another process, as
 * happens at every restart of a container. The parent's number is one PostgreSQL takes as stale, and it then still
 * looks whether old backends use the shared memory named further down in the file.
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
