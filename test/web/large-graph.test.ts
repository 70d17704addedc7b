import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { inBrowser, openSite } from './site.ts'

const NODES_AROUND = 600

interface Made {
  readonly data: { readonly id: string }[]
}

let site: Awaited<ReturnType<typeof openSite>>
let graph: number
before(async () => {
  if (inBrowser.skip) return
  site = await openSite()
  const titles = ['Middle heron', ...Array.from({ length: NODES_AROUND }, (_, i) => `Heron ${i}`)]
  const made = await site.call<Made>('PUT', 'entities', {
    data: titles.map((title) => ({ data: { type: 'malware', title } })),
  })
  const nodes = made.data.map(({ id }, i) => {
    const [radius, angle] = [i === 0 ? 0 : 500 + (i % 7) * 40, (i / NODES_AROUND) * 2 * Math.PI]
    return { kind: 'entity', id, x: radius * Math.cos(angle), y: radius * Math.sin(angle) }
  })
  const sent = { name: 'Large', workspace: 1, content: { nodes } }
  graph = (await site.call<{ data: { id: number } }>('POST', 'graphs', { data: sent })).data.id
})
after(() => site?.stop())

test('a large graph is moved as a picture, and clicks hit the nodes that are shown', inBrowser, async () => {
  const { page, assertQuiet } = await site.enter(`/graph?graph=${graph}`)
  const stage = page.getByRole('application', { name: 'Graph' })
  await page.locator(`[role=application][data-nodes="${NODES_AROUND + 1}"]`).waitFor()
  const box = (await stage.boundingBox()) ?? assert.fail('there is no stage')
  const shift = () => page.evaluate<string>(`document.querySelector('canvas.sigma-nodes').style.transform`)
  const rests = async () => {
    while ((await shift()) !== '') await page.waitForTimeout(50)
  }
  /** Clicks where the middle node should be, then on an empty spot to deselect it. */
  const assertMiddleAt = async (x: number, y: number) => {
    await page.mouse.click(x, y)
    await page.getByRole('status').filter({ hasText: 'Middle heron' }).waitFor({ state: 'attached' })
    await page.keyboard.press('Escape')
  }
  let [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await assertMiddleAt(x, y)

  await page.mouse.move(x, y)
  for (let i = 0; i < 5; i++) await page.mouse.wheel(0, -100)
  await page.waitForTimeout(400)
  await rests()
  await assertMiddleAt(x, y)

  const [fromX, fromY] = [x - 150, y + 100]
  await page.mouse.move(fromX, fromY)
  await page.mouse.down()
  const seen: string[] = []
  for (let i = 1; i <= 10; i++) {
    await page.mouse.move(fromX + i * 9, fromY - i * 6)
    seen.push(await shift())
  }
  await page.waitForTimeout(300)
  await page.mouse.up()
  assert.ok(
    seen.some((each) => each.startsWith('translate(')),
    `it was redrawn at every step: ${seen}`,
  )
  await rests()
  ;[x, y] = [x + 90, y - 60]
  await assertMiddleAt(x, y)
  assertQuiet()
})
