import assert from 'node:assert/strict'
import { after } from 'node:test'
import { pino } from 'pino'
import { startBackground } from '../../server/background.ts'
import { resourceMap } from '../../server/registry.ts'
import { BASE, startApp } from '../app.ts'
import { bareServer } from '../background.ts'
import { growingPause } from '../until.ts'

export type Item = Record<string, unknown>

export const PERMISSIONS = ['entities', 'intel-sets', 'tasks'].flatMap((name) => [`read ${name}`, `modify ${name}`])

/** The application of the importing test file, with a worker. */
export const corvus = await startApp()

const startWorker = () =>
  startBackground({
    server: { ...bareServer(corvus), resources: resourceMap },
    connection: { connectionString: corvus.url },
    log: pino({ level: 'silent' }),
  })

let worker = await startWorker()
after(async () => {
  await worker.stop()
  await corvus.stop()
})

/** Runs something while no run can start. */
export async function withoutWorker(work: () => Promise<void>): Promise<void> {
  await worker.stop()
  try {
    await work()
  } finally {
    worker = await startWorker()
  }
}

export async function make(path: string, item: Item, token = corvus.admin) {
  const { status, body } = await corvus.call('POST', path, { data: item }, token)
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}

/** Creates reports with these titles, and returns their ids. */
export async function reports(items: readonly Item[], token = corvus.admin): Promise<string[]> {
  const data = items.map(({ title, ...rest }) => ({ data: { type: 'report', title }, ...rest }))
  const { status, body } = await corvus.call('PUT', 'entities', data, token)
  assert.ok(status < 300, JSON.stringify(body))
  return body.data.map(({ id }: { id: string }) => id)
}

export const read = async (id: string) => (await corvus.call('GET', `entities/${id}`)).body.data
export const statusOf = async (id: string) => (await corvus.call('GET', `entities/${id}`)).status

/** Waits until the run at this path has ended, and returns it. */
export async function ended(path: string) {
  for (const pause = growingPause(); ; await pause()) {
    const { body } = await corvus.call('GET', path)
    if (body.data.ended_at !== null) return body.data
  }
}

/** Starts a run, and returns it when it has ended. */
export async function done(path: string, body: Item, token = corvus.admin) {
  const answer = await corvus.call('POST', path, { data: body }, token)
  assert.equal(answer.status, 202, JSON.stringify(answer.body))
  assert.deepEqual(Object.keys(answer.body.data), ['task_run'])
  const url: string = answer.body.data.task_run
  assert.ok(url.startsWith(`${BASE}/api/v2/tasks/runs/`), url)
  return ended(url.slice(BASE.length))
}

export const outcome = (matched: number, changed: number, unchanged = 0) => ({
  matched,
  changed,
  unchanged,
  failed: 0,
  batches: matched === 0 ? 0 : 1,
})
