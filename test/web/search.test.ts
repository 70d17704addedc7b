import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, inBrowser, openSite, type Visit } from './site.ts'

let site: Awaited<ReturnType<typeof openSite>>
let window: Visit
before(async () => {
  if (inBrowser.skip) return
  site = await openSite()
  window = await site.enter('/')
})
after(() => site?.stop())

const TYPES = ['malware', 'campaign', 'indicator', 'report']

/** Three hundred entities, more than one page. */
async function fill(): Promise<void> {
  const data = Array.from({ length: 300 }, (_, i) => ({
    data: {
      type: TYPES[i % 4],
      title: `${i % 3 === 0 ? 'Heron' : 'Magpie'} ${String(i).padStart(3, '0')}`,
      description: 'Seen in emails to three banks.',
      confidence: ['low', 'medium', 'high'][i % 3],
    },
    meta: { tags: i % 2 === 0 ? ['phishing', 'finance'] : ['finance'], tlp_color: i % 5 === 0 ? 'RED' : 'GREEN' },
    observables: [{ type: 'domain', value: `host-${i % 50}.example` }],
  }))
  await site.call('PUT', 'entities', { data })
}

const box = (page: Page) => page.getByRole('combobox', { name: 'Query' })
const found = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true }).waitFor()
const rows = (page: Page) => page.getByRole('grid', { name: 'Results' }).locator('tbody').getByRole('row')

const counted = async (query: string): Promise<number> =>
  (await site.call<{ total_count: number }>('GET', `entities?data=false&query=${encodeURIComponent(query)}`))
    .total_count

test('an empty installation shows the welcome page', inBrowser, async () => {
  const { page, shot, assertQuiet } = window
  await page.getByRole('heading', { name: 'Welcome to Corvus' }).waitFor()
  await page.getByText('Upload file').waitFor()
  await shot('search-empty')
  await assertAccessible(page, 'empty search')
  assertQuiet()
  await fill()
})

test('a search is refined by facets, its results are tagged, and the tags are undone', inBrowser, async () => {
  const { page, shot, assertQuiet } = window
  await page.goto(`${site.url}/`)
  await found(page, '300 entities')
  await shot('search-all')
  await page.keyboard.press('/')
  await page.keyboard.type('data.ti')
  await page.getByRole('option', { name: /^data\.title/ }).waitFor()
  await shot('search-fields')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  assert.equal(await box(page).inputValue(), 'data.title:')
  await page.keyboard.type('heron AND ta')
  await page.getByRole('option', { name: /^tags/ }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Tab')
  await page.keyboard.type('phi')
  await page.getByRole('option', { name: /^phishing/ }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  assert.equal(await box(page).inputValue(), 'data.title:heron AND tags:phishing ')
  await page.keyboard.press('Enter')
  await found(page, '50 entities')
  await page.getByRole('region', { name: 'Type' }).getByRole('button', { name: 'Malware 25' }).click()
  await found(page, '25 entities')
  await page.getByRole('region', { name: 'TLP' }).getByRole('button', { name: 'RED 5' }).waitFor()
  await shot('search-refined')
  assert.match(page.url(), /q=data\.title/)
  await page.reload()
  await found(page, '25 entities')
  assert.equal(await page.getByRole('grid', { name: 'Results' }).getAttribute('aria-rowcount'), '26')

  await rows(page).first().focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await page.getByText('3 selected').waitFor()
  await page.getByRole('button', { name: 'Select all 25 matching' }).click()
  await page.getByText('25 selected').waitFor()
  await page.getByRole('button', { name: 'Tag', exact: true }).click()
  await page.getByRole('combobox', { name: 'Tag', exact: true }).fill('to review')
  await shot('search-tagging')
  await page.getByRole('button', { name: 'Add tag' }).click()
  await page.getByText('Tag “to review” added to 25 entities.').waitFor()
  assert.equal(await counted('tags:"to review"'), 25)
  await page.getByRole('region', { name: 'Tag' }).getByRole('button', { name: 'to review 25' }).waitFor()
  await shot('search-tagged')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone').waitFor()
  assert.equal(await counted('tags:"to review"'), 0)
  await assertAccessible(page, 'search')
  assertQuiet()
})

test('a syntax error is marked at its column, and cleared once it is corrected', inBrowser, async () => {
  const { page, shot, assertQuiet } = await site.enter('/?f=["type:malware"]', { colorScheme: 'dark' })
  await found(page, '75 entities')
  // In the parentheses that filters add, this would be a valid query.
  await box(page).fill('heron) OR (magpie')
  await page.keyboard.press('Enter')
  const fault = page.getByRole('alert')
  await fault.getByText('(column 6)').waitFor()
  assert.equal(await box(page).getAttribute('aria-invalid'), 'true')
  assert.equal(await rows(page).count(), 0)
  await shot('search-fault-dark')
  await assertAccessible(page, 'search with a fault')
  await box(page).fill('heron OR magpie')
  await page.keyboard.press('Enter')
  await found(page, '75 entities')
  assert.equal(await fault.count(), 0)
  await box(page).fill('nothing of the kind')
  await page.keyboard.press('Enter')
  await page.getByText('No results').waitFor()
  await shot('search-nothing-dark')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('button', { name: 'Clear search' }).click()
  await found(page, '300 entities')
  await assertAccessible(page, 'search in the dark')
  await shot('search-all-dark')
  assertQuiet()
})

test('rows load while scrolling, are sorted by column headers and previewed with the keyboard', inBrowser, async () => {
  const { page, shot, assertQuiet } = window
  await page.goto(`${site.url}/`)
  await page.getByRole('button', { name: 'Title' }).click()
  await rows(page).first().getByText('Heron 000').waitFor()
  assert.ok((await rows(page).count()) < 60, 'only what is seen is drawn')
  await rows(page).first().focus()
  // Each time more rows load at the end.
  while ((await page.getByText('Magpie 299').count()) === 0) {
    await page.keyboard.press('End')
    await page.waitForTimeout(100)
  }
  await page.keyboard.press('Enter')
  const look = page.getByRole('dialog', { name: 'Preview' })
  await look.getByText('host-49[.]example').waitFor()
  await look.getByText('Seen in emails to three banks.').waitFor()
  await shot('search-look')
  await assertAccessible(page, 'quick look')
  assert.match(page.url(), /look=/)
  assert.equal(await page.locator('a:has-text("host-49")').count(), 0)
  await page.keyboard.press('Escape')
  await look.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Observables' }).check()
  await page.keyboard.press('Escape')
  await page.getByRole('columnheader', { name: 'Observables' }).waitFor()
  await page.goto(`${site.url}/`)
  await page.getByRole('columnheader', { name: 'Observables' }).waitFor()
  assertQuiet()
})

test('a search is saved with its filters, shared, and opened again', inBrowser, async () => {
  const { page, shot, assertQuiet } = window
  await page.goto(`${site.url}/?q=heron&f=["meta.tlp_color:RED"]&sort=meta.title`)
  await found(page, '20 entities')
  await page.getByRole('button', { name: 'Saved queries' }).click()
  await page.getByRole('menuitem', { name: 'Save search' }).click()
  await page.getByLabel('Name').fill('Red herons')
  await page.getByLabel('Share with all users who can search').check()
  await shot('search-save')
  await page.getByRole('button', { name: 'Save search', exact: true }).click()
  await page.getByText('Search saved as “Red herons”').waitFor()
  await page.goto(`${site.url}/`)
  await found(page, '300 entities')
  await page.getByRole('button', { name: 'Saved queries' }).click()
  await page.getByRole('menuitem', { name: 'Red herons' }).click()
  await found(page, '20 entities')
  assert.equal(await box(page).inputValue(), 'heron')
  await rows(page).first().getByText('Heron 000').waitFor()
  const turn = page.getByRole('button', { name: 'TLP is RED', exact: true })
  await turn.click()
  await found(page, '80 entities')
  await page.getByRole('button', { name: 'Remove TLP is not RED' }).click()
  await found(page, '100 entities')
  assertQuiet()
})

test('a pasted list is split into known and unknown indicators', inBrowser, async () => {
  const { page, shot, assertQuiet } = window
  await page.goto(`${site.url}/?in=observables`)
  await found(page, '50 observables')
  await page.getByRole('region', { name: 'Type' }).getByRole('button', { name: 'domain 50' }).waitFor()
  await shot('search-observables')
  await assertAccessible(page, 'observables')
  await page.getByRole('button', { name: 'Look up indicators' }).click()
  await page
    .getByRole('textbox', { name: 'Indicators' })
    .fill('host-7[.]example\nhxxp://unseen[.]example/x\n192.0.2.77, HOST-8.EXAMPLE\nhello there')
  await page.getByRole('dialog').getByRole('button', { name: 'Look up indicators' }).click()
  await page.getByRole('tab', { name: '2 known' }).waitFor()
  const known = page.getByRole('row', { name: /host-8\[\.\]example domain Unknown 6/ })
  assert.match((await known.getByRole('link').getAttribute('href')) ?? '', /^\/observables\/\d+$/)
  assert.equal(await page.locator('a:has-text("host-")').count(), 0)
  await shot('search-pasted')
  await page.getByRole('tab', { name: '2 unknown' }).click()
  await page.getByText('hxxp://unseen[.]example/x').waitFor()
  await page.getByText('ipv4').waitFor()
  await page.getByRole('tab', { name: '1 not recognised' }).waitFor()
  await assertAccessible(page, 'a pasted list')
  assertQuiet()
})

test('selected entities are exported, and counted before they are deleted', inBrowser, async () => {
  const { page, shot, assertQuiet } = window
  await page.goto(`${site.url}/?q=data.title:"Magpie 001"`)
  await found(page, '1 entity')
  await page.getByRole('checkbox', { name: 'Select row 1' }).click()
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('button', { name: 'Export 1 entity' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: /^Download/ }).click(),
  ])
  assert.match(file.suggestedFilename(), /\.stix\.json$/)
  await shot('search-exported')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete selected entities?' })
  await dialog.getByText('This deletes 1 entity').waitFor()
  await shot('search-delete')
  await dialog.getByRole('button', { name: 'Delete entities' }).click()
  await page.getByText('1 entity deleted.').waitFor()
  await page.getByText('No results').waitFor()
  assert.equal(await counted('magpie'), 199)
  assertQuiet()
})
