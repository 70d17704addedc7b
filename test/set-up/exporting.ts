import assert from 'node:assert/strict'
import { after } from 'node:test'
import { pino } from 'pino'
import { startBackground } from '../../server/background.ts'
import { openVault } from '../../server/identity/access/vault.ts'
import { openBlobs } from '../../server/ports/blobs-open.ts'
import { resourceMap } from '../../server/registry.ts'
import { taskTypes } from '../../server/tasks.ts'
import { BASE, startApp } from '../app.ts'
import { growingPause } from '../until.ts'

export type Item = Record<string, unknown>

/** The application of the importing test file, with a worker that shares its files and its key. */
export const corvus = await startApp()

/** The server that the worker uses. */
export const server = {
  db: corvus.db,
  resources: resourceMap,
  taskTypes,
  vault: await openVault(corvus.config),
  blobs: openBlobs(corvus.config),
}

const worker = await startBackground({
  server,
  connection: { connectionString: corvus.url },
  log: pino({ level: process.env.CORVUS_LOG_LEVEL ?? 'silent' }),
  // Without followers, so that only the runs of tests have effects.
  followers: [],
})
after(async () => {
  await worker.stop()
  await corvus.stop()
})

/** Creates entities and returns them. */
export async function put(path: string, items: readonly Item[], token = corvus.admin) {
  const { status, body } = await corvus.call('PUT', path, { data: items }, token)
  assert.ok(status < 300, JSON.stringify(body).slice(0, 1000))
  return body.data
}

/** Waits until the run at this path has ended, and returns it. */
export async function endOf(path: string) {
  for (const pause = growingPause(); ; await pause()) {
    const { data } = (await corvus.call('GET', path)).body
    if (data.ended_at !== null) return data
  }
}

/** Downloads from a path in a response. */
export async function fetchBytes(url: string, token = corvus.admin, headers: Record<string, string> = {}) {
  const answer = await corvus.app.inject({
    url: url.slice(BASE.length),
    headers: { authorization: `Bearer ${token}`, ...headers },
  })
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload, text: answer.body }
}

/** Exports, and returns the block with its document. */
export async function exported(path: string, body: Item, token = corvus.admin) {
  const answer = await corvus.call('POST', path, { data: body }, token)
  assert.equal(answer.status, 202, JSON.stringify(answer.body))
  const run = await endOf(answer.body.data.task_run.slice(BASE.length))
  assert.ok(['SUCCESS', 'WARNING'].includes(run.state), `${run.state} ${run.error_detail}`)
  const block = (await corvus.call('GET', run.result.export_block.slice(BASE.length), undefined, token)).body.data
  const document = await fetchBytes(block.download_url, token)
  assert.equal(document.status, 200)
  return { run, block, document }
}
