import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import type { Browser } from 'playwright-core'
import { root } from '../../server/config.ts'
import { openBrowser } from './browser.ts'
import type { Answer, Order } from './site-host.ts'

// Loaded once for all test files of a process: they share a browser and the process that runs their servers.

interface Shared {
  browser?: Promise<Browser>
  host?: ChildProcess
  /** The number of open sites. */
  sites: number
  hasEnded: boolean
}

const shared: Shared = { sites: 0, hasEnded: false }

// The last test file may stop its site only after this.
after(async () => {
  shared.hasEnded = true
  await closeUnused()
})

async function closeUnused(): Promise<void> {
  const { browser, host, sites, hasEnded } = shared
  if (!hasEnded || sites > 0) return
  await (await browser)?.close()
  if (!host?.connected) return
  const end = once(host, 'exit')
  host.disconnect()
  await end
}

/** The browser of this process. */
export function sharedBrowser(): Promise<Browser> {
  shared.browser ??= openBrowser()
  return shared.browser
}

/** Starts a server in the process that runs all servers of this one. */
export async function hostSite(settings: Record<string, string>) {
  const host = shared.host?.connected ? shared.host : startHost()
  shared.host = host
  const name = randomUUID()
  const { url, fault } = await ask(host, { name, settings })
  if (url === undefined) throw new Error(`The server ended before it was ready: ${fault}`)
  shared.sites++
  const stop = async () => {
    const end = await ask(host, { name })
    shared.sites--
    await closeUnused()
    if (end.fault !== undefined) throw new Error(`The server did not stop: ${end.fault}`)
  }
  return { url, stop }
}

function startHost(): ChildProcess {
  const execArgv: string[] = JSON.parse(readFileSync(join(root, 'scripts/node-options.json'), 'utf8'))
  return fork(join(root, 'test/web/site-host.ts'), [], { execArgv })
}

/** Sends an order, and returns the next answer to it. */
function ask(host: ChildProcess, order: Order): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      host.off('message', hear)
      host.off('exit', fail)
    }
    const hear = (answer: Answer) => {
      if (answer.name !== order.name) return
      settle()
      resolve(answer)
    }
    const fail = () => {
      settle()
      reject(new Error('The process of the servers has ended.'))
    }
    host.on('message', hear)
    host.on('exit', fail)
    host.send(order)
  })
}
