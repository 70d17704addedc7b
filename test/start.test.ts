import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { buildWeb } from '../scripts/build-web.ts'
import { root } from '../server/config.ts'
import { processName } from '../server/ports/process-state.ts'
import { createDatabase } from './database.ts'
import { until } from './until.ts'

type Run = { child: ChildProcess; pid: number; stdout: string; stderr: string; exit: Promise<number | null> }

const running = new Set<Run>()
let folder: string

before(async () => {
  // Otherwise the server would build it at its start, and print that in the output tested here.
  await buildWeb()
  folder = await mkdtemp(join(tmpdir(), 'start-'))
  await mkdir(join(folder, 'home'), { mode: 0o700 })
})
after(async () => {
  for (const { child, exit } of running) {
    child.kill('SIGTERM')
    await exit
  }
  await rm(folder, { recursive: true, force: true })
})

/** Runs a command of package.json on a free port, with its data in a folder that other users cannot enter. */
function run(command: string, env: Record<string, string> = {}, program = process.execPath): Run {
  const child = spawn(program, program === 'npm' ? [command] : ['scripts/run.mjs', command], {
    cwd: root,
    // In its own process group, so that it can be ended like a terminal's foreground group.
    detached: true,
    env: environment(env),
  })
  const exit = once(child, 'close').then(([code]) => {
    running.delete(result)
    return code
  })
  const result: Run = { child, pid: child.pid ?? 0, stdout: '', stderr: '', exit }
  child.stdout.on('data', (chunk) => (result.stdout += chunk))
  child.stderr.on('data', (chunk) => (result.stderr += chunk))
  running.add(result)
  return result
}

function environment(env: Record<string, string> = {}) {
  // As under npm, the script then ends with its parent: a killed test run leaves no server behind.
  const npm = { npm_lifecycle_event: 'test' }
  return { PATH: process.env.PATH, ...npm, CORVUS_DATA: join(folder, 'home', 'data'), CORVUS_PORT: '0', ...env }
}

async function ready(started: Run): Promise<string> {
  const end = started.exit.then(() => assert.fail(`it ended: ${started.stderr}`))
  end.catch(() => {})
  for (;;) {
    const address = /ready(?: at (\S+))?\n/.exec(started.stdout)
    if (address) return address[1] ?? ''
    await Promise.race([setTimeout(20), end])
  }
}

async function isReady(address: string): Promise<boolean> {
  const answer = await fetch(`${address}/health/ready`).catch(() => undefined)
  return answer?.status === 200
}

const databasePid = async (data = 'home/data') =>
  Number.parseInt(await readFile(join(folder, data, 'postgres/data/postmaster.pid'), 'utf8').catch(() => ''), 10) ||
  undefined

/** The process started by the script. Minimal machines have no `pgrep`, and macOS has no /proc. */
const serverPid = ({ pid }: Run) =>
  Number(
    process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      : execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' }),
  )

async function fails(env: Record<string, string>): Promise<Run & { sentence: string }> {
  const started = run('serve', env)
  assert.equal(await started.exit, 1, started.stderr)
  assert.match(started.stderr, /^[^\n]+\.\n$/, 'one sentence and nothing else')
  return { ...started, sentence: started.stderr.trim() }
}

test('the first start prints address, administrator and password, and a later one only the address', async () => {
  const first = run('serve')
  assert.ok(await isReady(await ready(first)))
  assert.match(
    first.stdout,
    /^Corvus is ready at http:\/\/127\.0\.0\.1:\d+\n\n {2}Administrator {2}\S+\n {2}Password {7}\S{12,} /,
  )
  first.child.kill('SIGTERM')
  assert.equal(await first.exit, 0)

  const second = run('serve')
  assert.ok(await isReady(await ready(second)))
  assert.match(second.stdout, /^Corvus is ready at \S+\n$/)
  second.child.kill('SIGTERM')
  assert.equal(await second.exit, 0)
})

test('Ctrl-C, however often, ends the server with code 0 and stops the database', async () => {
  const started = run('serve')
  await ready(started)
  assert.ok(await databasePid())
  for (let times = 0; times < 3; times++) process.kill(-started.pid, 'SIGINT')
  assert.equal(await started.exit, 0)
  assert.equal(await databasePid(), undefined)
})

test('a request that runs when the server is stopped still gets its response', async () => {
  const started = run('serve')
  const address = await ready(started)
  const words = ['scripts/run.mjs', 'corvus', 'token', 'create', '--user', 'admin', '--name', 'slow']
  const token = execFileSync(process.execPath, words, { cwd: root, env: environment(), encoding: 'utf8' }).trim()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', expect: '100-continue' }
  const slow = request(`${address}/api/v2/tickets`, { method: 'POST', headers })
  slow.flushHeaders()
  await once(slow, 'continue')
  slow.write('{"data": {"name": ')
  started.child.kill('SIGTERM')
  await setTimeout(300)
  slow.end('"slow"}}')
  const [answer] = await once(slow, 'response')
  answer.resume()
  assert.equal(answer.statusCode, 201)
  assert.equal(await started.exit, 0)
})

test('after kill -9 of the server the database is adopted', async () => {
  const killed = run('serve')
  await ready(killed)
  const pid = await databasePid()
  process.kill(serverPid(killed), 'SIGKILL')
  assert.equal(await killed.exit, 137)
  assert.equal(await databasePid(), pid)

  const next = run('serve')
  assert.ok(await isReady(await ready(next)))
  assert.equal(await databasePid(), pid)
  next.child.kill('SIGTERM')
  assert.equal(await next.exit, 0)
  assert.equal(await databasePid(), undefined)
})

test('kill -9 of the starting script ends server and database in good order', async () => {
  const started = run('serve')
  await ready(started)
  const pid = serverPid(started)
  started.child.kill('SIGKILL')
  await until(async () => (await processName(pid)) === undefined, 'the server goes on')
  assert.equal(await databasePid(), undefined)
})

test('kill -9 of npm ends server and database in good order', async () => {
  const started = run('start', { HOME: folder }, 'npm')
  await ready(started)
  const pid = serverPid(started)
  started.child.kill('SIGKILL')
  await until(
    async () => (await processName(pid)) === undefined && (await databasePid()) === undefined,
    'the server or the database goes on',
  )
})

test('kill -9 of the database leaves a server that recovers by itself', async () => {
  const started = run('serve')
  const address = await ready(started)
  const pid = await databasePid()
  process.kill(pid ?? assert.fail(), 'SIGKILL')
  await until(async () => (await databasePid()) !== pid && (await isReady(address)), 'it does not recover')
  started.child.kill('SIGTERM')
  assert.equal(await started.exit, 0)
})

test('a worker shares the database, which runs until the last of both has ended', async () => {
  const server = run('serve')
  await ready(server)
  const worker = run('worker')
  await ready(worker)
  server.child.kill('SIGTERM')
  assert.equal(await server.exit, 0)
  assert.ok(await databasePid())
  worker.child.kill('SIGTERM')
  assert.equal(await worker.exit, 0)
  assert.equal(await databasePid(), undefined)
})

test('a port that is in use is reported in one sentence, and the password of a first start is not lost', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const port = String(typeof address === 'object' && address?.port)
  const { sentence, stdout } = await fails({ CORVUS_PORT: port, CORVUS_DATA: join(folder, 'taken') })
  assert.match(sentence, new RegExp(`^Port ${port} is already in use on 127\\.0\\.0\\.1`))
  assert.match(stdout, /Password {7}\S{12,} /)
  assert.equal(await databasePid('taken'), undefined)
  other.close()
})

test('a folder that is not writable is reported in one sentence', async () => {
  const { sentence } = await fails({ CORVUS_DATA: '/proc/corvus' })
  assert.match(sentence, /^The data folder \/proc\/corvus cannot be used/)
})

test('an address of another machine is reported in one sentence', async () => {
  const { sentence } = await fails({ CORVUS_HOST: '192.0.2.1' })
  assert.match(sentence, /^CORVUS_HOST is 192\.0\.2\.1, which is not an address of this machine\.$/)
  assert.equal(await databasePid(), undefined)
})

test('an invalid setting is reported in one sentence', async () => {
  const { sentence } = await fails({ CORVUS_PORT: 'eighty' })
  assert.match(sentence, /^CORVUS_PORT must be /)
})

test('DATABASE_URL is used instead of the embedded database, and a wrong password in it is reported in one sentence', async () => {
  const { url, drop } = await createDatabase()
  const started = run('serve', { DATABASE_URL: url })
  assert.ok(await isReady(await ready(started)))
  assert.equal(await databasePid(), undefined)
  started.child.kill('SIGTERM')
  assert.equal(await started.exit, 0)
  const { sentence } = await fails({ DATABASE_URL: url.replace(/corvus:.*?@/, 'corvus:wrong@') })
  assert.match(sentence, /rejects the user "corvus" in DATABASE_URL/)
  await drop()
})
