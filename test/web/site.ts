import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'node:test'
import axe from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { root } from '../../server/config.ts'
import { adminPassword, createDatabase } from '../database.ts'
import { isTurnOf } from '../effort.ts'
import { signIn } from '../process.ts'
import { executablePath } from './browser.ts'
import { hostSite, sharedBrowser } from './shared.ts'

/** Options of browser tests: they are skipped without a browser, unless a thorough run requires them. */
export const inBrowser = {
  skip: executablePath === undefined && !process.env.CI && 'there is no Chromium on this machine',
  // Tests that hang end; a busy machine takes five times as long as an idle one.
  timeout: 300_000,
}

/** The timeout of one step on such a machine. */
const STEP_MS = 90_000

/** The folder for screenshots. */
const SCREENSHOTS = join(root, 'var/screenshots')

/** A browser window, and the errors that occurred in it. */
export interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  /** Takes a screenshot. */
  shot(name: string): Promise<void>
  /** Fails if the page threw an error, violated its policy, or called another host since the last check. */
  assertQuiet(): void
}

/** The windows of the current test, which are closed after it: pages in the background keep polling and rendering. */
let windows: Set<BrowserContext> | undefined
beforeEach(() => {
  windows = new Set()
})
afterEach(async () => {
  for (const context of windows ?? []) await context.close()
  windows = undefined
})

/** A Corvus server with workers, outside of this process, on an empty database, and a browser to visit it. */
export async function openSite() {
  const database = await createDatabase()
  const dataFolder = await mkdtemp(join(tmpdir(), 'corvus-site-'))
  const { url, stop: stopServer } = await hostSite({
    CORVUS_DATA: dataFolder,
    DATABASE_URL: database.url,
    CORVUS_LOG_LEVEL: 'fatal',
    CORVUS_ALLOWED_NETWORKS: '127.0.0.0/8',
  })
  const browser = await sharedBrowser()
  const contexts = new Set<BrowserContext>()
  const headers = await signIn(url, adminPassword)

  /** Calls the API as the administrator; fails the test if the request is rejected. */
  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await fetch(`${url}/api/v2/${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as T
  }

  /** Opens a new window without a session. */
  async function visit(
    path = '/',
    options: Parameters<Browser['newContext']>[0] = {},
    cookies: Parameters<BrowserContext['addCookies']>[0] = [],
  ): Promise<Visit> {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      // Waiting for transitions would take longer than the tests themselves.
      reducedMotion: 'reduce',
      ...options,
    })
    context.setDefaultTimeout(STEP_MS)
    contexts.add(context)
    windows?.add(context)
    await context.addCookies(cookies)
    const page = await context.newPage()
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(`threw: ${error.message}`))
    page.on('console', (message) => {
      // Chromium logs every unsuccessful response; pages show the errors themselves.
      if (message.type() === 'error' && !/^Failed to load resource/.test(message.text())) faults.push(message.text())
    })
    page.on('request', (request) => {
      const asked = request.url()
      if (!asked.startsWith(url) && !/^(data|blob|about):/.test(asked)) faults.push(`asked ${asked}`)
    })
    await page.goto(`${url}${path}`)
    return {
      page,
      context,
      shot: async (name) => {
        await mkdir(SCREENSHOTS, { recursive: true })
        await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) })
      },
      assertQuiet: () => assert.deepEqual(faults.splice(0), []),
    }
  }

  /** Opens a window in which the administrator, or another user, is signed in. */
  async function enter(
    path = '/',
    { username = 'admin', password = adminPassword, ...options }: Parameters<typeof visit>[1] & Partial<Account> = {},
  ): Promise<Visit> {
    const { cookie = '' } = await signIn(url, password, username)
    const [name = '', value = ''] = cookie.split('=', 2)
    const visited = await visit(path, options, [{ name, value, url }])
    await visited.page.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'attached' })
    return visited
  }

  async function stop(): Promise<void> {
    for (const context of contexts) await context.close()
    await stopServer()
    await database.drop()
    await rm(dataFolder, { recursive: true, force: true })
  }
  return { ...database, url, call, visit, enter, stop }
}

interface Account {
  readonly username: string
  readonly password: string
}

let looked = 0

/** Checks some of the steps with axe in each run; `every-page.test.ts` covers all pages. */
export async function assertAccessible(page: Page, name: string): Promise<void> {
  if (isTurnOf(looked++, 5)) await assertNoBarrier(page, name)
}

/** Fails if axe finds a serious or critical violation on the current page. */
export async function assertNoBarrier(page: Page, name: string): Promise<void> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(document, { resultTypes: ['violations'] })`)
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  const told = grave.map(({ id, help, nodes }) => `${id}: ${help} (${nodes.map((node) => node.html).slice(0, 3)})`)
  assert.deepEqual(told, [], name)
}
