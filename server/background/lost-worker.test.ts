import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { openTasks } from '../../test/background.ts'
import { fragile, patient } from '../../test/task-types.ts'

let tasks: Awaited<ReturnType<typeof openTasks>>
let folder: string
const workers = new Set<ChildProcess>()

before(async () => {
  tasks = await openTasks()
  folder = await mkdtemp(join(tmpdir(), 'corvus-tasks-'))
})
after(async () => {
  for (const worker of workers) worker.kill('SIGKILL')
  await tasks.drop()
  await rm(folder, { recursive: true })
})

/** A worker in its own process. */
async function spawnWorker(): Promise<ChildProcess> {
  const program = new URL('../../test/task-worker.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [program, tasks.url], { stdio: ['ignore', 'pipe', 'inherit'] })
  workers.add(child)
  await once(child.stdout, 'data')
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
  workers.delete(child)
}

/** Waits until handlers have written this many lines to the file, and returns them. */
async function lines(file: string, count: number): Promise<string[]> {
  for (;;) {
    const told = (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean)
    if (told.length >= count) return told
    await sleep(20)
  }
}

/** Tests cannot wait as long as a slow network may take. */
const shortenHeartbeat = (id: string) =>
  sql`update jobs.job set heartbeat_seconds = 4 where id = ${id}`.execute(tasks.db)

test('revoking a run notifies the handler in another process', async () => {
  const child = await spawnWorker()
  const file = join(folder, 'revoked')
  const { id } = await tasks.start(patient, { file })
  await tasks.until(id, 'STARTED')
  await tasks.stop(id)
  assert.deepEqual(await lines(file, 2), [`${child.pid} started`, `${child.pid} aborted`])
  assert.equal((await tasks.read(id)).state, 'REVOKED')
  await kill(child)
})

test('a run whose worker was killed continues elsewhere, and only the living worker can change it', async () => {
  const first = await spawnWorker()
  const file = join(folder, 'killed')
  const { id } = await tasks.start(patient, { file })
  while ((await tasks.read(id)).log.length === 0) await sleep(50)
  await shortenHeartbeat(id)
  await kill(first)
  assert.equal((await tasks.read(id)).state, 'STARTED')
  const second = await spawnWorker()
  while ((await tasks.read(id)).attempt < 2) await sleep(50)
  const again = await tasks.read(id)
  assert.deepEqual([again.state, again.attempt, again.error_detail], ['STARTED', 2, null])
  assert.deepEqual(again.log, ['attempt 1 waits', 'The worker that ran this stopped answering.'])
  assert.deepEqual(await lines(file, 2), [`${first.pid} started`, `${second.pid} started`])
  await tasks.stop(id)
  await kill(second)
})

test('a run that may not be tried again is a FAILURE when its worker was killed', async () => {
  const first = await spawnWorker()
  const { id } = await tasks.start(fragile)
  await tasks.until(id, 'STARTED')
  await shortenHeartbeat(id)
  await kill(first)
  const second = await spawnWorker()
  const run = await tasks.until(id, 'FAILURE')
  assert.equal(run.error_detail, 'The worker that ran this stopped answering.')
  assert.ok(run.ended_at)
  await kill(second)
})

test('a worker that is told to stop ends by itself, and its run waits for another worker', async () => {
  const child = await spawnWorker()
  const { id } = await tasks.start(patient)
  await tasks.until(id, 'STARTED')
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  workers.delete(child)
  assert.equal(code, 0)
  assert.equal((await tasks.read(id)).state, 'RETRY')
})
