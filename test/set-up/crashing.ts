import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { type Running, signIn, startProcess } from '../process.ts'

const PASSWORD = 'a password for crashes 1!'

/** A server in a process of its own for the tests of a file, which may kill it and start it again on the same data. */
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
  return {
    start,
    kill: () => end('SIGKILL'),
    url: (path: string): string => `${running.url}${path}`,
    /** Of somebody who is signed in. */
    headers: (): Record<string, string> => headers,
    folder: (): string => dataFolder,
  }
}
