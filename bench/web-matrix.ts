import type { Page } from 'playwright-core'
import type { startServer } from './server.ts'

/** The cells of all three matrices of ATT&CK 18.1, with sub-techniques. */
const MATRICES = [
  { name: 'Enterprise', cells: 887 },
  { name: 'Mobile', cells: 144 },
  { name: 'ICS', cells: 94 },
] as const

/** A matrix that counts nothing, and one that counts everything. */
const SCOPES = [
  { name: 'no entities', search: 'query=nothingofthekind' },
  { name: 'all entities', search: '' },
] as const

const ROUNDS = 5

/** How long the page may still work after the last cell: defenses and periods arrive later. */
const SETTLE_MS = 1000

/** Measures the tasks that block the page while it draws the matrices of ATT&CK with all sub-techniques: 1,125 cells. */
export async function measureMatrix(page: Page, { url, pool }: Awaited<ReturnType<typeof startServer>>): Promise<void> {
  await pool.query(CLASSIFY)
  await page.addInitScript(OBSERVE)
  const cells = MATRICES.reduce((sum, matrix) => sum + matrix.cells, 0)
  console.log(
    `\nlongest task while ${cells} cells of the matrices of ATT&CK are drawn: milliseconds of ${ROUNDS} rounds`,
  )
  console.log(`  ${'step'.padEnd(34)}${['p50', 'max', 'over 50'].map((text) => text.padStart(9)).join('')}`)
  for (const { name, search } of SCOPES) {
    const rounds: Record<Step, number[][]> = { open: [], expand: [], switch: [] }
    for (let round = 0; round < ROUNDS; round++) {
      const found = await drawAll(page, `${url}/attack?${search}`)
      for (const step of STEPS) rounds[step].push(found[step])
    }
    for (const step of STEPS) report(`${TITLES[step]}, ${name}`, rounds[step])
  }
}

const STEPS = ['open', 'expand', 'switch'] as const
type Step = (typeof STEPS)[number]

const TITLES: Readonly<Record<Step, string>> = {
  open: 'open the page, folded',
  expand: 'expand Enterprise',
  switch: 'open Mobile and ICS, expanded',
}

/** A few of the entities get random techniques: the demo data has none. */
const CLASSIFY = `
  update entities as t
  set attacks = array(
    select n.id from attack_nodes as n
    where n.state = 'live' and n.type in ('technique', 'subtechnique')
    order by md5(t.id::text || n.id) limit 5)
  where t.id in (select id from entities where attacks = '{}' limit 2000)`

/** The long tasks of each step. */
async function drawAll(page: Page, address: string): Promise<Record<Step, number[]>> {
  const [first, ...others] = MATRICES
  await page.goto(address)
  await page.getByRole('grid', { name: `${first.name} matrix` }).waitFor()
  const open = await settled(page)
  await page.getByRole('button', { name: 'Expand all' }).click()
  await drawn(page, first.cells)
  const expand = await settled(page)
  for (const { name, cells } of others) {
    await page.getByText(name, { exact: true }).first().click()
    await page.getByRole('grid', { name: `${name} matrix` }).waitFor()
    await drawn(page, cells)
  }
  return { open, expand, switch: await settled(page) }
}

const drawn = (page: Page, cells: number) =>
  page
    .locator('[role=gridcell]')
    .nth(cells - 1)
    .waitFor({ state: 'attached' })

/** The long tasks since the last call. */
async function settled(page: Page): Promise<number[]> {
  await page.waitForTimeout(SETTLE_MS)
  return page.evaluate<number[]>('longTasks.splice(0)')
}

function report(name: string, rounds: readonly (readonly number[])[]): void {
  const longest = rounds.map((tasks) => Math.max(0, ...tasks)).toSorted((a, b) => a - b)
  const shown = [longest[Math.floor(longest.length / 2)] ?? 0, longest.at(-1) ?? 0].map((ms) =>
    ms === 0 ? '< 50' : ms.toFixed(0),
  )
  const count = rounds.reduce((sum, tasks) => sum + tasks.length, 0)
  console.log(`  ${name.padEnd(34)}${[...shown, String(count)].map((text) => text.padStart(9)).join('')}`)
}

/** Browsers report only tasks of more than 50 milliseconds. */
const OBSERVE = `
  window.longTasks = []
  new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask', buffered: true })`
