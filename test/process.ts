import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from '../server/config.ts'

/** A Corvus server in its own process. */
export interface Running {
  readonly child: ChildProcess
  readonly url: string
}

/** Starts a server on a data folder and a free port, and waits until it is ready. */
export async function startProcess(dataFolder: string, settings: Record<string, string>): Promise<Running> {
  const env = { ...process.env, DATABASE_URL: '', CORVUS_DATA: dataFolder, CORVUS_PORT: '0', ...settings }
  const main = join(root, 'server/main.ts')
  const options: string[] = JSON.parse(readFileSync(join(root, 'scripts/node-options.json'), 'utf8'))
  const child = spawn(process.execPath, [...options, main, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/\S+/.exec(line)?.[0]
    if (url) return { child, url }
  }
  throw new Error('Corvus ended before it was ready.')
}

/** Signs in as a browser does, and returns the headers of its requests. */
export async function signIn(url: string, password: string, username = 'admin'): Promise<Record<string, string>> {
  const answer = await fetch(`${url}/api/v2/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data: { username, password } }),
  })
  if (!answer.ok) throw new Error(`Nobody could sign in: ${await answer.text()}`)
  const { data } = (await answer.json()) as { data: { csrf_token: string } }
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return { cookie, 'x-csrf-token': data.csrf_token, 'content-type': 'application/json' }
}
