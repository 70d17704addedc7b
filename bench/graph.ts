import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { buildWeb } from '../scripts/build-web.ts'
import { openBrowser } from '../test/web/browser.ts'
import { PASSWORD, startServer } from './server.ts'

const BATCH = 1000
const MIN_FRAMES_PER_SECOND = 30

type Running = Awaited<ReturnType<typeof startServer>>

/**
 * Measures the frames per second of a large graph during panning and zooming. A saved graph is opened in headless
 * Chromium, which renders WebGL in software if there is no graphics card.
 */
export async function bench(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      nodes: { type: 'string', default: '10000' },
      edges: { type: 'string', default: '20000' },
      seconds: { type: 'string', default: '6' },
    },
  })
  const [nodes, edges, seconds] = [Number(values.nodes), Number(values.edges), Number(values.seconds)]
  await buildWeb()
  const server = await startServer()
  let browser: Browser | undefined
  try {
    const graph = await load(server, nodes, edges)
    browser = await openBrowser(['--use-angle=swiftshader'])
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await open(page, server.url, graph, nodes)
    const still = await framesOf(page, seconds, async () => page.waitForTimeout(seconds * 1000))
    const panned = await framesOf(page, seconds, () => pan(page, seconds))
    const zoomed = await framesOf(page, seconds, () => zoom(page, seconds))
    console.log(`${nodes} nodes, ${edges} edges, frames a second over ${seconds} s (${await rendererOf(page)}):`)
    for (const [name, { rate, slowest }] of Object.entries({ still, panned, zoomed })) {
      const isWithin = name === 'still' || rate >= MIN_FRAMES_PER_SECOND ? '' : `  under ${MIN_FRAMES_PER_SECOND}`
      console.log(
        `  ${name.padEnd(8)}${rate.toFixed(1).padStart(7)}   slowest frame ${slowest.toFixed(0)} ms${isWithin}`,
      )
    }
  } finally {
    await browser?.close()
    await server.stop()
  }
}

/** Creates random entities and relationships, and saves a graph of them. */
async function load({ url, token }: Running, nodes: number, edges: number): Promise<number> {
  const call = async <T>(method: string, path: string, data: unknown): Promise<T> => {
    const answer = await fetch(`${url}/api/v2/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ data }),
    })
    const body = (await answer.json()) as { data: T }
    if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(body).slice(0, 500)}`)
    return body.data
  }
  const types = ['malware', 'tool', 'threat-actor', 'campaign', 'infrastructure', 'report']
  const made: { id: string; sources: string[] }[] = []
  for (let i = 0; i < nodes; i += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, nodes - i) }, (_, j) => ({
      data: { type: types[(i + j) % types.length], title: `Entity ${i + j}` },
    }))
    made.push(...(await call<typeof made>('PUT', 'entities', batch)))
  }
  // Favours earlier entities: as in real graphs, some nodes are hubs.
  const hub = () => made[Math.floor(nodes * Math.random() ** 3)]
  const pairs = new Set<string>()
  while (pairs.size < edges) {
    const [a, b] = [hub()?.id, made[Math.floor(nodes * Math.random())]?.id]
    if (a !== b) pairs.add(`${a} ${b}`)
  }
  const relationships = [...pairs].map((pair) => {
    const [source, target] = pair.split(' ')
    return { id: randomUUID(), data: { source, target, key: 'uses' }, sources: made[0]?.sources }
  })
  for (let i = 0; i < edges; i += BATCH) await call('PUT', 'relationships', relationships.slice(i, i + BATCH))
  const content = {
    nodes: made.map(({ id }, i) => {
      const [radius, angle] = [20 * Math.sqrt(i), i * 2.399963]
      return { kind: 'entity', id, x: radius * Math.cos(angle), y: radius * Math.sin(angle) }
    }),
  }
  return (await call<{ id: number }>('POST', 'graphs', { name: 'Large', workspace: 1, content })).id
}

async function open(page: Page, url: string, graph: number, nodes: number): Promise<void> {
  await page.goto(`${url}/profile`)
  await page.getByLabel('User name').fill('admin')
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Pages' }).waitFor()
  const begun = performance.now()
  await page.goto(`${url}/graph?graph=${graph}`)
  await page.locator(`[role=application][data-nodes="${nodes}"]`).waitFor({ timeout: 120_000 })
  console.log(`opened in ${((performance.now() - begun) / 1000).toFixed(1)} s`)
  await page.waitForTimeout(2000)
}

const middleOf = async (page: Page) => {
  const box = await page.getByRole('application').boundingBox()
  if (!box) throw new Error('The graph is not visible.')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** Drags the graph in circles, as fast as a hand would. */
async function pan(page: Page, seconds: number): Promise<void> {
  const { x, y } = await middleOf(page)
  // Away from the middle, where a node under the pointer would be dragged instead of the graph.
  await page.mouse.move(x - 300, y - 230)
  await page.mouse.down()
  const end = performance.now() + seconds * 1000
  for (let i = 0; performance.now() < end; i++) {
    await page.mouse.move(x - 300 + 150 * Math.sin(i / 12), y - 230 + 100 * Math.sin(i / 7))
  }
  await page.mouse.up()
}

async function zoom(page: Page, seconds: number): Promise<void> {
  const { x, y } = await middleOf(page)
  await page.mouse.move(x, y)
  const end = performance.now() + seconds * 1000
  for (let i = 0; performance.now() < end; i++) {
    await page.mouse.wheel(0, i % 20 < 10 ? -120 : 120)
    await page.waitForTimeout(60)
  }
}

/** Counts frames for this many milliseconds; a string, because it runs in the page. */
const counting = (forMs: number): string => `new Promise((resolve) => {
  const begun = performance.now()
  let [frames, slowest, last] = [0, 0, begun]
  const count = (now) => {
    frames++
    slowest = Math.max(slowest, now - last)
    last = now
    if (now - begun < ${forMs}) requestAnimationFrame(count)
    else resolve({ frames, slowest, took: now - begun })
  }
  requestAnimationFrame(count)
})`

/** The number of frames during an action, and the duration of the slowest. */
async function framesOf(page: Page, seconds: number, act: () => Promise<void>) {
  const counted = page.evaluate<{ frames: number; slowest: number; took: number }>(counting(seconds * 1000))
  await act()
  const { frames, slowest, took } = await counted
  return { rate: (frames * 1000) / took, slowest }
}

const rendererOf = (page: Page): Promise<string> =>
  page.evaluate<string>(`{
    const gl = document.createElement('canvas').getContext('webgl2')
    const about = gl?.getExtension('WEBGL_debug_renderer_info')
    about ? String(gl.getParameter(about.UNMASKED_RENDERER_WEBGL)) : 'no WebGL'
  }`)
