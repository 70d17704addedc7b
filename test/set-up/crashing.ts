import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Running, signIn, startProcess } from '../process.ts'

/** A run of a task. */
interface Run {
  readonly state: string
  readonly progress: number
  readonly ended_at: string | null
  readonly error_detail: string | null
  readonly result: unknown
}

const PASSWORD = 'a password for crashes 1!'

/** A server in its own process for the tests of a file, which can kill it and restart it on the same data. */
export function crashing(environment: Record<string, string> = {}) {
  let dataFolder = ''
  let running: Running
  let headers: Record<string, string> = {}
  const start = async () => {
    const own = { CORVUS_LOG_LEVEL: 'silent', CORVUS_ADMIN_PASSWORD: PASSWORD, ...environment }
    running = await startProcess(dataFolder, own)
  }
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    const ended = once(running.child, 'exit')
    running.child.kill(signal)
    await ended
  }
  before(async () => {
    dataFolder = await mkdtemp(join(tmpdir(), 'corvus-crash-'))
    await start()
    headers = await signIn(running.url, PASSWORD)
  })
  after(async () => {
    await end('SIGTERM')
    await rm(dataFolder, { recursive: true, force: true })
  })
  const url = (path: string): string => `${running.url}${path}`
  /** Calls the API; an error fails the test. */
  const call = async (method: string, path: string, body?: unknown) => {
    const json = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(url(`/api/v2/${path}`), { method, headers, ...json })
    assert.ok(answer.ok, `${answer.status} ${path} ${answer.ok ? '' : await answer.text()}`)
    // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
    return (answer.status === 204 ? undefined : await answer.json()) as any
  }
  return {
    start,
    kill: () => end('SIGKILL'),
    url,
    call,
    /** The exact number of objects. */
    count: async (path: string): Promise<number> =>
      (await call('GET', `${path}${path.includes('?') ? '&' : '?'}data=false&meta[total_resources_aggregated]=0`))
        .total_count,
    /** Reads a run until it meets a condition; by default, until it has ended. */
    run: async (id: string, isWanted = ({ ended_at }: Run): boolean => ended_at !== null): Promise<Run> => {
      for (;;) {
        const { data } = await call('GET', `tasks/runs/${id}`)
        if (isWanted(data)) return data
        await sleep(10)
      }
    },
    /** The headers of a signed-in user. */
    headers: (): Record<string, string> => headers,
    folder: (): string => dataFolder,
  }
}
