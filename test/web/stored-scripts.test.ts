import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { build } from 'vite'
import { root } from '../../server/config.ts'
import { inBrowser, openSite } from './site.ts'
import { STORED_SCRIPTS } from './stored-scripts.ts'
import { watch } from './watch.ts'

let site: Awaited<ReturnType<typeof openSite>>
before(async () => {
  if (!inBrowser.skip) site = await openSite()
})
after(() => site?.stop())

/** Markup that runs by itself; the other texts need a click, navigate away, or are only unusual. */
const MARKUP = /^["'><\u202e]*<(?!javascript|div id=root|noscript|body|p style|meta|form>)/

/** The function that renders rich text, callable from a page. */
async function richFragmentSource(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      lib: { entry: join(root, 'web/ui/rich-fragment.ts'), formats: ['iife'], name: 'rich', cssFileName: 'rich' },
    },
  })
  const files = [built].flat().flatMap((each) => ('output' in each ? each.output : []))
  return files.map((file) => ('code' in file ? file.code : '')).join('\n')
}

test('no stored script in rich text runs, loads or navigates', inBrowser, async () => {
  assert.ok(STORED_SCRIPTS.length >= 40)
  const { page, assertNothingRan } = await watch(site, '/profile')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.evaluate(`${await richFragmentSource()}; window.rich = rich`)
  const texts = STORED_SCRIPTS.flatMap((text) => [text, `A text.\n\n${text}`, `<p>A text.</p>${text}`])
  for (const format of ['', 'html', 'markdown']) {
    await page.evaluate(`for (const text of ${JSON.stringify(texts)}) {
      const place = document.createElement('div')
      place.append(rich.richFragment(text, ${JSON.stringify(format)}))
      document.querySelector('#main').append(place)
    }`)
  }
  // Images that fail to load report it with a delay.
  await page.waitForTimeout(500)
  await assertNothingRan('rich texts')
})

test('text and formatting of rich text are preserved', inBrowser, async () => {
  const { page } = await site.enter('/profile')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.evaluate(`${await richFragmentSource()}; window.rich = rich`)
  const html = '<p>One <strong>strong</strong> word, <code>online=1 once</code> &amp; <em title="On only">on</em></p>'
  const shown = await page.evaluate(`{
    const place = document.createElement('div')
    place.append(rich.richFragment(${JSON.stringify(html)}))
    place.innerHTML
  }`)
  assert.equal(shown, html)
})

test('the checks detect markup that is inserted without sanitising', inBrowser, async () => {
  const { page, assertNothingRan, assertQuiet } = await watch(site, '/profile')
  await page.getByRole('heading', { level: 1 }).waitFor()
  /** Inserts a text into the page unsanitised; its effects are removed before the next one. */
  const isNoticed = async (text: string): Promise<boolean> => {
    await page.evaluate(`{
      const place = document.createElement('div')
      place.id = 'tried'
      place.innerHTML = ${JSON.stringify(text)}
      document.querySelector('#main').append(place)
    }`)
    const isFine = await assertNothingRan(text).then(
      () => true,
      () => false,
    )
    await page.evaluate(`{ document.querySelector('#tried').remove(); window.hits = 0 }`)
    // Policy violations are reported with a delay.
    await page.waitForTimeout(50)
    try {
      assertQuiet()
    } catch {}
    return !isFine
  }
  const markup = STORED_SCRIPTS.filter((text) => MARKUP.test(text))
  assert.ok(markup.length > 40)
  const unnoticed: string[] = []
  for (const text of markup) {
    if (!(await isNoticed(text))) unnoticed.push(text)
    // Removed completely, so that it is not mistaken for the next text.
    assert.equal(await isNoticed('<p>A <b>plain</b> text.</p>'), false, `after ${text}`)
  }
  assert.deepEqual(unnoticed, [])
})
