import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { readConfig } from '../server/config.ts'
import { connect } from '../server/database/database.ts'
import { createLog } from '../server/http/log.ts'
import { openPostgres } from '../server/ports/postgres.ts'
import { signIn, startProcess } from '../test/process.ts'

/** The administrator password of the measured server. */
export const PASSWORD = 'a password for benchmarks 1!'

/**
 * Starts Corvus in a separate process, with the bare driver on the same database, on an empty or a kept data folder.
 */
export async function startServer(kept?: string) {
  const dataFolder = kept === undefined ? await mkdtemp(join(tmpdir(), 'corvus-bench-')) : resolve(kept)
  const settings = { CORVUS_LOG_LEVEL: 'warn', CORVUS_ADMIN_PASSWORD: PASSWORD }
  const { child, url } = await startProcess(dataFolder, settings)
  // The server must not outlive the measurement, whatever goes wrong.
  process.on('exit', () => child.kill('SIGTERM'))
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))
  const config = readConfig({ CORVUS_DATA: dataFolder })
  const postgres = await openPostgres(config, createLog('warn'))
  const { pool, db, close } = connect(postgres.connection, { poolSize: config.poolSize, statementTimeoutMs: 0 })
  const made = await fetch(`${url}/api/v2/users/self/tokens`, {
    method: 'POST',
    headers: await signIn(url, PASSWORD),
    body: JSON.stringify({ data: { name: `bench ${Date.now()}` } }),
  })
  const { data } = (await made.json()) as { data: { token: string } }

  const stop = async () => {
    await close()
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
    await postgres.stop()
    if (kept === undefined) await rm(dataFolder, { recursive: true, force: true })
  }
  return { url, port: Number(new URL(url).port), pid: child.pid ?? 0, token: data.token, pool, db, stop }
}
