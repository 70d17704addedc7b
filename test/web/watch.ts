import assert from 'node:assert/strict'
import type { openSite, Visit } from './site.ts'

/** Elements that no user text may add to a page. */
const FORBIDDEN = [
  'script, iframe, object, embed, base, link, meta, template, video, audio, math, style:not([data-mantine-styles]), [srcset], [srcdoc], [formaction], [ping]',
  '[onerror], [onload], [onclick], [onfocus], [onbegin], [ontoggle], [onstart], [onmouseover]',
  'a[href*="script:" i], a[href^="data:" i], a[href*="stolen"], img[src*="stolen"], image, use, #root #root',
  'animate, set, animateMotion, animateTransform, foreignObject',
].join(', ')

/** A window that detects every script that runs. */
export interface Watched extends Visit {
  assertNothingRan(place: string): Promise<void>
}

/** Opens a page in a watched window. */
export async function watch(
  { url, enter }: Pick<Awaited<ReturnType<typeof openSite>>, 'url' | 'enter'>,
  path: string,
  options: Parameters<typeof enter>[1] = {},
): Promise<Watched> {
  const visit = await enter('/profile', options)
  const { page } = visit
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  await page.addInitScript('window.hits = 0; window.hit = () => { window.hits++ }')
  await page.goto(`${url}${path}`)
  const assertNothingRan = async (place: string) => {
    const selector = JSON.stringify(FORBIDDEN)
    const found = await page.evaluate<readonly string[]>(
      `[...document.querySelectorAll('#main, [role=dialog]')].flatMap((part) =>
        [...part.querySelectorAll(${selector})].map((node) => node.outerHTML.slice(0, 200)))`,
    )
    assert.deepEqual(found, [], place)
    assert.equal(await page.evaluate('window.hits'), 0, place)
    assert.deepEqual(dialogs, [], place)
    assert.ok(page.url().startsWith(url), place)
    visit.assertQuiet()
  }
  return { ...visit, assertNothingRan }
}
