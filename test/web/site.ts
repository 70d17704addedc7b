import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'node:test'
import axe from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { root } from '../../server/config.ts'
import { adminPassword, createDatabase } from '../database.ts'
import { isTurnOf } from '../effort.ts'
import { signIn, startProcess } from '../process.ts'
import { executablePath, openBrowser } from './browser.ts'

/** Given to tests of pages: they are skipped where no browser is, but not where everything has to be tried. */
export const inBrowser = {
  skip: executablePath === undefined && !process.env.CI && 'there is no Chromium on this machine',
  // What hangs ends; a machine that is busy with something else takes five times as long as one that is not.
  timeout: 300_000,
}

/** How long a step of a journey may take, on such a machine. */
const STEP_MS = 90_000

/** Where screenshots are put, to be looked at. */
const SCREENSHOTS = join(root, 'var/screenshots')

/** A page of the web interface, and what went wrong in it. */
export interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  /** Takes a screenshot of a step. */
  shot(name: string): Promise<void>
  /** Fails if the page threw, broke its policy, or asked another host for anything since it was last asked. */
  assertQuiet(): void
}

/** The windows of the test that runs, which are closed after it: pages that nobody looks at go on asking and drawing. */
let windows: Set<BrowserContext> | undefined
beforeEach(() => {
  windows = new Set()
})
afterEach(async () => {
  for (const context of windows ?? []) await context.close()
  windows = undefined
})

/** A Corvus in a process of its own on an empty database, with its workers, and a real browser to visit it. */
export async function openSite() {
  const database = await createDatabase()
  const dataFolder = await mkdtemp(join(tmpdir(), 'corvus-site-'))
  const settings = { DATABASE_URL: database.url, CORVUS_LOG_LEVEL: 'fatal', CORVUS_ALLOWED_NETWORKS: '127.0.0.0/8' }
  const { child, url } = await startProcess(dataFolder, settings)
  const browser = await openBrowser()
  const headers = await signIn(url, adminPassword)

  /** Calls the API as the administrator; a refusal fails the test. */
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

  /** Opens a window of its own, with nobody signed in. */
  async function visit(
    path = '/',
    options: Parameters<Browser['newContext']>[0] = {},
    cookies: Parameters<BrowserContext['addCookies']>[0] = [],
  ): Promise<Visit> {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      // Waiting for what fades in and out takes longer than all that is tried.
      reducedMotion: 'reduce',
      ...options,
    })
    context.setDefaultTimeout(STEP_MS)
    windows?.add(context)
    await context.addCookies(cookies)
    const page = await context.newPage()
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(`threw: ${error.message}`))
    page.on('console', (message) => {
      // Chromium says so of every answer that is no success; pages show what it means.
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

  /** Opens a window in which the administrator, or somebody else, has signed in. */
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
    await browser.close()
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
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

/** Lets axe look at a step of a journey, in some of them each day: `every-page.test.ts` looks at all pages. */
export async function assertAccessible(page: Page, name: string): Promise<void> {
  if (isTurnOf(looked++, 5)) await assertNoBarrier(page, name)
}

/** Fails if axe finds anything serious or critical on the page as it is. */
export async function assertNoBarrier(page: Page, name: string): Promise<void> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(document, { resultTypes: ['violations'] })`)
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  const told = grave.map(({ id, help, nodes }) => `${id}: ${help} (${nodes.map((node) => node.html).slice(0, 3)})`)
  assert.deepEqual(told, [], name)
}
