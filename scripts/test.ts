import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { glob, mkdtemp, readdir, readFile, readlink, rm, stat, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import pg from 'pg'
import { readConfig, root } from '../server/config.ts'
import { connect, migrate } from '../server/database/database.ts'
import { createLog } from '../server/http/log.ts'
import type { Postgres } from '../server/ports/postgres.ts'
import { openEmbedded } from '../server/ports/postgres-embedded.ts'
import { ends, processName } from '../server/ports/process-state.ts'
import { prepare } from '../server/seed.ts'
import { adminPassword, serverUrl, template } from '../test/database.ts'
import { isThorough } from '../test/effort.ts'
import { buildWeb } from './build-web.ts'
import { testFiles } from './test-files.ts'

const SETTINGS = {
  // Nothing here outlives the run, so nothing needs to survive a power failure.
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  // Creating and dropping a database searches all buffers, and its files are in memory anyway.
  shared_buffers: '256MB',
}

/**
 * A disk in memory. The test databases have hundreds of thousands of files, which are slow to create on other disks.
 */
const MEMORY = '/dev/shm'
/** Ten times what the tests need, because other programs use it as well. */
const MIN_FREE_BYTES = 4 * 2 ** 30

/** Only a hanging process of tests takes this long. */
const PROCESS_MS = isThorough ? 7_200_000 : 1_800_000

process.chdir(root)
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) process.on(signal, () => stop.abort())

await removeLeftovers()
// Most single files do not involve pages.
if (process.argv.slice(2).every((argument) => argument.startsWith('-') || argument.includes('web'))) await buildWeb()
const folder = await makeFolder()
let postgres: Postgres | undefined
try {
  postgres = await openEmbedded(folder, createLog('error'), stop.signal, SETTINGS)
  await makeTemplate(postgres.connection)
  process.exitCode = await runTests({
    CORVUS_TEST_DATABASE_URL: serverUrl(postgres.connection),
    TMPDIR: folder,
  })
} catch (error) {
  process.exitCode = 1
  if (!stop.signal.aborted) console.error(error)
} finally {
  await postgres?.stop()
  await removeFolder(folder)
}
process.exit()

/** The folder for everything that tests write: in memory if there is enough. */
async function makeFolder(): Promise<string> {
  const name = `corvus-test-${process.pid}-`
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }))
  const place = Math.min(bavail * bsize, process.availableMemory()) > MIN_FREE_BYTES ? MEMORY : tmpdir()
  return mkdtemp(join(place, name)).catch(() => mkdtemp(join(tmpdir(), name)))
}

async function makeTemplate(connection: pg.PoolConfig): Promise<void> {
  const server = connect(connection, { poolSize: 1, statementTimeoutMs: 0 })
  await server.pool.query(`create database ${template}`)
  // The tests open thousands of connections, each of which proves the password.
  const { user = '', password } = connection
  await server.pool.query(
    `set scram_iterations = 1; alter role ${pg.escapeIdentifier(user)} password ${pg.escapeLiteral(String(password))}`,
  )
  await server.close()
  const { db, pool, close } = connect({ ...connection, database: template }, { poolSize: 5, statementTimeoutMs: 0 })
  await migrate(pool, `${root}/migrations`)
  await prepare(db, readConfig({ CORVUS_DATA: folder, CORVUS_ADMIN_PASSWORD: adminPassword }))
  await close()
}

async function runTests(variables: Record<string, string>): Promise<number> {
  const files = await Promise.all(process.argv.slice(2).map(asPattern))
  const isAll = !files.some((file) => !file.startsWith('-'))
  const patterns = isAll ? [...files, ...(await testFiles(folder))] : files
  const deadline = ['--import', `${root}/test/deadline.ts`]
  const options = [
    ...deadline,
    '--test',
    '--test-concurrency=4',
    `--test-reporter=${root}/test/reporter.ts`,
    `--test-timeout=${PROCESS_MS}`,
  ]
  const runner = spawn(process.execPath, [...process.execArgv, ...options, ...patterns], {
    stdio: 'inherit',
    // The developer's own server settings must not reach the tests.
    env: { ...withoutSettings(process.env), ...variables },
  })
  stop.signal.addEventListener('abort', () => runner.kill('SIGTERM'))
  const [code] = await once(runner, 'exit')
  return code ?? 1
}

async function asPattern(argument: string): Promise<string> {
  const isFolder = !argument.startsWith('-') && (await stat(argument).catch(() => undefined))?.isDirectory()
  return isFolder ? `${argument.replace(/\/$/, '')}/**/*.test.ts` : argument
}

function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(CORVUS_|PG|DATABASE_URL$|npm_)/.test(name)))
}

/** Stops the databases of killed runs and removes their folders. */
async function removeLeftovers(): Promise<void> {
  const places = await Promise.all(
    [MEMORY, tmpdir()].map(async (place) => (await readdir(place).catch(() => [])).map((name) => join(place, name))),
  )
  for (const path of places.flat()) {
    const pid = Number(/^corvus-test-(\d+)-/.exec(basename(path))?.[1])
    if (!pid || (await processName(pid)) !== undefined) continue
    const isOurs = (await stat(path).catch(() => undefined))?.uid === process.geteuid?.()
    if (isOurs) await removeFolder(path).catch(() => {})
  }
}

/** Removes a test folder, after stopping servers that a failed test left in it, and only those. */
async function removeFolder(path: string): Promise<void> {
  for await (const lock of glob(`${path}/**/postmaster.pid`)) {
    const pid = Number.parseInt(await readFile(lock, 'utf8').catch(() => ''), 10)
    const place = await readlink(`/proc/${pid}/cwd`).catch(() => path)
    if (pid > 0 && place.startsWith(path) && (await processName(pid)) === 'postgres') await ends(pid, 'SIGINT', 10_000)
  }
  await rm(path, { recursive: true, force: true, maxRetries: 5 })
}
