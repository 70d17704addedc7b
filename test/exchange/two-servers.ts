import assert from 'node:assert/strict'
import { after } from 'node:test'
import { pino } from 'pino'
import { startBackground } from '../../server/background.ts'
import { openVault } from '../../server/identity/access/vault.ts'
import { openBlobs } from '../../server/ports/blobs-open.ts'
import { openOutbound } from '../../server/ports/outbound.ts'
import { resourceMap } from '../../server/registry.ts'
import { taskTypes } from '../../server/tasks.ts'
import { BASE, type Method, startApp } from '../app.ts'
import { growingPause } from '../until.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
export type Json = Record<string, any>

/** A server with its own database and worker, which others call over loopback. */
async function startOne() {
  const log = pino({ level: 'silent' })
  const corvus = await startApp(undefined, { environment: { CORVUS_ALLOWED_NETWORKS: '127.0.0.0/8' }, log })
  const outbound = openOutbound(corvus.config.allowedNetworks)
  const server = {
    db: corvus.db,
    resources: resourceMap,
    taskTypes,
    vault: await openVault(corvus.config),
    blobs: openBlobs(corvus.config),
    outbound,
    largestFile: corvus.config.largestFile,
  }
  const worker = await startBackground({ server, connection: { connectionString: corvus.url }, log })
  const address = await corvus.app.listen({ port: 0, host: '127.0.0.1' })
  after(async () => {
    await worker.stop()
    await outbound.close()
    await corvus.stop()
  })
  /** Calls the API and returns `data`. */
  const ask = async (method: Method, path: string, data?: unknown) => {
    const own = path.replace(BASE, '').replace(address, '')
    const { status, body } = await corvus.call(method, own, data === undefined ? undefined : { data })
    assert.ok(status < 300, `${method} ${path}: ${status} ${JSON.stringify(body).slice(0, 500)}`)
    return body?.data
  }
  /** Waits until a run has succeeded, and returns it. */
  const ended = async (url: string) => {
    for (const pause = growingPause(); ; await pause()) {
      const run = await ask('GET', url)
      if (run.ended_at === null) continue
      assert.ok(['SUCCESS', 'WARNING'].includes(run.state), JSON.stringify(run))
      return run
    }
  }
  return { ...corvus, address, ask, ended }
}

export const sender = await startOne()
export const receiver = await startOne()
