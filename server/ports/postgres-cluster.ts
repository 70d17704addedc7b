import { randomBytes } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { chown, lstat, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type pg from 'pg'
import { type Account, findAccount, findPrograms, type Programs, runProgram } from './postgres-programs.ts'
import { processName } from './process-state.ts'
import { StartError } from './start-error.ts'

/** A PostgreSQL data directory, with what is needed to run and reach it. */
export type Cluster = {
  /** `<data>/postgres/data`, the directory PostgreSQL owns. */
  folder: string
  log: string
  programs: Programs
  account: Account
  connection: pg.ClientConfig
  /** Closes the descriptor that a long path needs. */
  close(): void
}

/**
 * The data directory as passed to PostgreSQL. Started by root, it may be unable to traverse closed parent folders, so
 * it is started inside the directory.
 */
export const dataArgument = (folder: string) => (process.platform === 'linux' ? '/proc/self/cwd' : folder)

/** The messages of PostgreSQL's programs for a full disk, which first shows as a short write. */
export const diskFull = /No space left on device|Disk quota exceeded|wrote only \d+ of/

/** Opens the cluster in the data folder, and creates it if there is none. */
export async function openCluster(dataFolder: string, signal: AbortSignal): Promise<Cluster> {
  const home = join(dataFolder, 'postgres')
  const folder = join(home, 'data')
  await explainFailures(dataFolder, () => makeFolder(dataFolder))
  const account = await findAccount(folder)
  const programs = await findPrograms(account)
  if (!(await explainFailures(dataFolder, () => exists(home))))
    await makeCluster(dataFolder, home, programs, account, signal)
  await checkVersion(folder, programs)
  const password = await explainFailures(dataFolder, () => readFile(join(home, 'password'), 'utf8'))
  const socket = openSocketFolder(folder)
  return {
    folder,
    log: join(dataFolder, 'postgres.log'),
    programs,
    account,
    connection: { host: socket.path, port: 5432, user: 'corvus', password, database: 'postgres' },
    close: socket.close,
  }
}

/** Runs file operations in the data folder, and turns failures that the operator can fix into one sentence. */
export async function explainFailures<T>(dataFolder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const reason = reasons[(error as NodeJS.ErrnoException).code ?? '']
    if (reason === undefined) throw error
    throw new StartError(
      `The data folder ${dataFolder} cannot be used (${reason}). Fix this, or set CORVUS_DATA to another folder.`,
    )
  }
}

const reasons: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'its file system is read-only',
  ENOTDIR: 'a part of its path is not a folder',
  EEXIST: 'it is not a folder',
  ENOENT: 'it cannot be created there',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is exceeded',
  ELOOP: 'its path contains a loop',
  ENAMETOOLONG: 'its path is too long',
}

/**
 * Creates the password and data directory under a temporary name and renames them as one, so that a killed process
 * leaves nothing that looks complete.
 */
async function makeCluster(
  dataFolder: string,
  home: string,
  programs: Programs,
  account: Account,
  signal: AbortSignal,
) {
  await removeUnfinished(dataFolder)
  const unfinished = join(dataFolder, `postgres-new-${process.pid}`)
  const folder = join(unfinished, 'data')
  const password = join(unfinished, 'password')
  await explainFailures(dataFolder, async () => {
    try {
      await makeFolder(folder)
      await writeFile(password, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true })
      if (account.uid !== undefined && account.gid !== undefined) {
        await chown(folder, account.uid, account.gid)
        await chown(password, account.uid, account.gid)
      }
      await initialise(folder, password, programs, account, signal)
      if (account.uid !== undefined) await chown(password, 0, 0)
      await rename(unfinished, home)
      await syncFolder(dataFolder)
    } catch (error) {
      // Another process that started at the same time was faster; its cluster is used.
      if (!(await exists(join(home, 'data')))) throw error
    } finally {
      await rm(unfinished, { recursive: true, force: true })
    }
  })
}

async function initialise(folder: string, password: string, programs: Programs, account: Account, signal: AbortSignal) {
  const input = await open(password)
  const { code, output } = await runProgram(
    join(programs.folder, 'initdb'),
    [
      `--pgdata=${dataArgument(folder)}`,
      '--username=corvus',
      '--auth=scram-sha-256',
      // Passed as an open file, because its path may be inside a folder that the account cannot enter.
      '--pwfile=/dev/stdin',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
    ],
    { ...account, cwd: folder, input: input.fd, signal },
  )
  await input.close()
  signal.throwIfAborted()
  if (code === 0) return
  if (diskFull.test(output)) throw Object.assign(new Error(output), { code: 'ENOSPC' })
  const reason = output.split('\n').findLast((line) => /error|fatal/i.test(line)) ?? output.split('\n').at(-1)
  throw new StartError(`PostgreSQL's data folder could not be created: ${reason}.`)
}

async function removeUnfinished(dataFolder: string): Promise<void> {
  for (const name of await readdir(dataFolder)) {
    const pid = /^postgres-new-(\d+)$/.exec(name)?.[1]
    const isInUse = pid !== undefined && Number(pid) !== process.pid && (await processName(Number(pid))) !== undefined
    if (pid !== undefined && !isInUse) await rm(join(dataFolder, name), { recursive: true, force: true })
  }
}

async function checkVersion(folder: string, programs: Programs): Promise<void> {
  const version = await explainFailures(folder, () => readFile(join(folder, 'PG_VERSION'), 'utf8').catch(ignoreAbsent))
  if (version === undefined)
    throw new StartError(
      `${folder} is not a PostgreSQL data folder. Move it away, or set CORVUS_DATA to another folder.`,
    )
  if (version.trim() === programs.major) return
  throw new StartError(
    `${folder} was created by PostgreSQL ${version.trim()}, but this version of Corvus includes PostgreSQL ${programs.major}. Back it up with the version of Corvus that created it, and restore it here.`,
  )
}

/** The path of a socket is limited to 107 bytes; a longer one is reached through an open descriptor of its folder. */
function openSocketFolder(folder: string): { path: string; close(): void } {
  if (Buffer.byteLength(join(folder, '.s.PGSQL.5432')) <= 103) return { path: folder, close: () => {} }
  if (process.platform !== 'linux') {
    throw new StartError(
      `The path ${folder} is too long for a socket. Set CORVUS_DATA to a folder with a shorter path.`,
    )
  }
  const descriptor = openSync(folder, 'r')
  return { path: `/proc/self/fd/${descriptor}`, close: () => closeSync(descriptor) }
}

/**
 * Like `mkdir -p`, with folders that only this user can enter. Node's own version never returns in places such as
 * /proc.
 */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return
    if (code !== 'ENOENT' || (await exists(dirname(path)))) throw error
    await makeFolder(dirname(path))
    await mkdir(path, { mode: 0o700 })
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync()
  await handle.close()
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(ignoreAbsent)) !== undefined
}

function ignoreAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
