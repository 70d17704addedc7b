import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { readConfig, root } from '../server/config.ts'
import { connect } from '../server/database.ts'
import { createLog } from '../server/log.ts'
import { openPostgres } from '../server/ports/postgres.ts'

const PASSWORD = 'a password for benchmarks 1!'

/** A Corvus in a process of its own on an empty data folder, and the bare driver on the same database. */
export async function startServer() {
  const dataFolder = await mkdtemp(join(tmpdir(), 'corvus-bench-'))
  const env = {
    ...process.env,
    CORVUS_DATA: dataFolder,
    CORVUS_PORT: '0',
    CORVUS_LOG_LEVEL: 'warn',
    CORVUS_ADMIN_PASSWORD: PASSWORD,
  }
  const child = spawn(process.execPath, [join(root, 'server/main.ts'), 'serve'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // Whatever goes wrong here, the server must not outlive the measurement.
  process.on('exit', () => child.kill('SIGTERM'))
  const url = await addressOf(child)
  const config = readConfig(env)
  const postgres = await openPostgres(config, createLog('warn'))
  const { pool, db, close } = connect(postgres.connection, { poolSize: config.poolSize, statementTimeoutMs: 0 })
  const session = await fetch(`${url}/api/v2/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data: { username: 'admin', password: PASSWORD } }),
  })
  const { data } = (await session.json()) as { data: { csrf_token: string } }
  const cookie = session.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const made = await fetch(`${url}/api/v2/users/self/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie, 'x-csrf-token': data.csrf_token },
    body: JSON.stringify({ data: { name: 'bench' } }),
  })
  const { data: token } = (await made.json()) as { data: { token: string } }

  const stop = async () => {
    await close()
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
    await postgres.stop()
    await rm(dataFolder, { recursive: true, force: true })
  }
  return { url, port: Number(new URL(url).port), token: token.token, pool, db, pid: child.pid ?? 0, stop }
}

async function addressOf(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('The server has no output.')
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/\S+/.exec(line)?.[0]
    if (url) {
      child.stdout.resume()
      return url
    }
  }
  throw new Error('The server ended before it was ready.')
}
