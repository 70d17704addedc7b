import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { clientOf } from '../cli/demo/client.ts'
import { fill } from '../cli/demo/fill.ts'
import { buildWeb } from '../scripts/build-web.ts'
import { openBrowser } from '../test/web/browser.ts'
import { PASSWORD, startServer } from './server.ts'
import { measureMatrix } from './web-matrix.ts'

/** Different kinds of queries: everything, a word, a value, both, a pattern, a time range, and one without results. */
const QUERIES = [
  '*:*',
  'ransomware',
  'type:malware',
  'tags:phishing AND type:indicator',
  'data.title:ban*',
  'created_at:[now-1d TO now]',
  'nothingofthekind',
]

/** How long a user looks at results before the next search. */
const PAUSE_MS = 1500

const TYPED = 'data.title:ransom* AND tags:phishing AND created_at:[now-30d TO now]'

/**
 * Measures, in a real browser, the time from the Enter key to the rows of a search, and the longest delays while
 * typing and while matrices are drawn. With `--data` the folder is kept for later runs.
 */
export async function bench(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      entities: { type: 'string', default: '100000' },
      rounds: { type: 'string', default: '7' },
      data: { type: 'string' },
    },
  })
  await buildWeb()
  const server = await startServer(values.data)
  const browser = await openBrowser()
  try {
    await load(server, Number(values.entities))
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    const page = await context.newPage()
    await enter(page, server.url)
    for (const query of QUERIES) await measure(page, query, Number(values.rounds))
    await type(page)
    await measureMatrix(await context.newPage(), server)
  } finally {
    await browser.close()
    await server.stop()
  }
}

type Running = Awaited<ReturnType<typeof startServer>>

async function load({ url, token, pool }: Running, count: number): Promise<void> {
  const { rows } = await pool.query<{ count: number }>('select count(*) from entities')
  if ((rows[0]?.count ?? 0) < count) {
    await fill(clientOf(url, token, new AbortController().signal), { seed: 1, entities: count })
    await pool.query('vacuum analyze')
  }
  console.log(`${count} entities\n\nfrom Enter to rows: milliseconds`)
  console.log(`  ${'query'.padEnd(34)}${'p50'.padStart(8)}${'max'.padStart(8)}${'answer'.padStart(8)}`)
}

async function enter(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/`)
  await page.getByLabel('User name').fill('admin')
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('grid', { name: 'Results' }).waitFor()
  await page.evaluate(IN_PAGE)
}

interface Took {
  /** From the key press to the rows. */
  readonly rows: number
  /** The share of the server, including the network. */
  readonly answer: number
}

async function measure(page: Page, query: string, rounds: number): Promise<void> {
  const times: number[] = []
  const answers: number[] = []
  for (let round = -1; round < rounds; round++) {
    // Parentheses make the query text unique, so that no cached result is used.
    const text = `${'('.repeat(round + 1)}${query}${')'.repeat(round + 1)}`
    const took = await page.evaluate<Took>(`search(${JSON.stringify(text)})`)
    // The first round warms up the server.
    if (round >= 0) {
      times.push(took.rows)
      answers.push(took.answer)
    }
  }
  const columns = [at(times, 0.5), Math.max(...times), at(answers, 0.5)].map((ms) => ms.toFixed(0).padStart(8))
  console.log(`  ${query.padEnd(34)}${columns.join('')}`)
}

/**
 * Runs in the page: `search` submits a query with the Enter key and waits until its results are drawn; `tasks` are the
 * long tasks that blocked the page.
 */
const IN_PAGE = `
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const enter = async (text) => {
    const box = document.querySelector('[data-search-box]')
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(box, text)
    box.dispatchEvent(new Event('input', { bubbles: true }))
    await frame()
    performance.clearResourceTimings()
    const start = performance.now()
    box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
    const isBusy = () => document.querySelector('[aria-label="Searching"]') || document.querySelector('[aria-busy="true"]')
    await frame()
    while (isBusy()) await frame()
    return performance.now() - start
  }
  window.search = async (query) => {
    await enter('type:report')
    // By now the counts are loaded, as they are for a user who reads the results.
    await new Promise((resolve) => setTimeout(resolve, ${PAUSE_MS}))
    const rows = await enter(query)
    const asked = performance.getEntriesByType('resource').find(({ name }) => /api.v2.entities[?]/.test(name))
    return { rows, answer: asked ? asked.duration : 0 }
  }
  window.tasks = []
  new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask' })`

async function type(page: Page): Promise<void> {
  const box = page.getByRole('combobox', { name: 'Query' })
  await box.fill('')
  await page.evaluate('tasks.length = 0')
  await box.pressSequentially(TYPED, { delay: 40 })
  await page.waitForTimeout(1_000)
  const tasks = await page.evaluate<number[]>('tasks')
  const told =
    tasks.length === 0 ? 'none over 50 ms' : `${Math.max(...tasks).toFixed(0)} ms, ${tasks.length} over 50 ms`
  console.log(`\nlongest task while ${TYPED.length} letters are typed: ${told}`)
}

const at = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
