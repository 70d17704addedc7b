import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, inBrowser, openSite } from './site.ts'
import { makeEntity, makeSource, unify } from './unified-steps.ts'

let site: Awaited<ReturnType<typeof openSite>>
let contributors: readonly string[]

const actor = (title: string, aliases: readonly string[]) => ({ type: 'threat-actor', title, aliases })

before(async () => {
  if (inBrowser.skip) return
  site = await openSite()
  const [first, second, merge] = [
    await makeSource(site, 'First vendor'),
    await makeSource(site, 'Second vendor'),
    await makeSource(site, 'Merge group'),
  ]
  contributors = [
    await makeEntity(site, first, actor('Grey Heron', ['Egret']), { meta: { tags: ['apt'] } }),
    await makeEntity(site, second, actor('Grey Heron', ['Bittern']), { meta: { tags: ['apt', 'banking'] } }),
  ]
  await makeEntity(site, first, actor('Magpie', []), { meta: { tags: ['apt'] } })
  await makeEntity(site, second, { type: 'malware', title: 'Heron loader' }, { meta: { tags: ['loader'] } })
  await unify(site, contributors, merge, 'Grey Heron')
})
after(() => site?.stop())

const found = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true }).waitFor()
const rows = (page: Page) => page.getByRole('grid', { name: 'Results' }).locator('tbody').getByRole('row')
const view = (page: Page, name: string) =>
  page.getByRole('radiogroup', { name: 'Unified entities' }).getByText(name, { exact: true }).click()

test('a unified entity stands for its contributors until they are shown', inBrowser, async () => {
  const { page, shot, assertQuiet } = await site.enter('/')
  await found(page, '3 entities')
  assert.equal(await rows(page).getByText('Unified', { exact: true }).count(), 1)
  assert.equal(await rows(page).getByText('Contributor', { exact: true }).count(), 0)
  await page.getByRole('region', { name: 'Tag' }).getByRole('button', { name: 'apt 2' }).waitFor()
  await shot('consolidation-search-unified')
  await assertAccessible(page, 'unified search')

  await view(page, 'All')
  await found(page, '5 entities')
  assert.equal(await rows(page).getByText('Contributor', { exact: true }).count(), 2)
  await page.getByRole('region', { name: 'Tag' }).getByRole('button', { name: 'apt 4' }).waitFor()
  assert.match(page.url(), /consolidation=all/)
  await shot('consolidation-search-all')

  await view(page, 'Contributors')
  await found(page, '4 entities')
  assert.equal(await rows(page).getByText('Unified', { exact: true }).count(), 0)
  await page.goto(`${site.url}/`)
  await found(page, '4 entities')
  await page.goto(`${site.url}/?consolidation=unified`)
  await found(page, '3 entities')
  assertQuiet()
})

test('changes of all results apply to what is shown', inBrowser, async () => {
  const { page, assertQuiet } = await site.enter('/')
  await found(page, '3 entities')
  await page.getByRole('checkbox', { name: /^Select all/ }).click()
  await page.getByRole('button', { name: 'Tag', exact: true }).click()
  await page.getByRole('combobox', { name: 'Tag', exact: true }).fill('reviewed')
  await page.getByRole('button', { name: 'Add tag' }).click()
  await page.getByText(/Tag “reviewed” added to/).waitFor()
  const tagged = await site.call<{ data: { id: string }[] }>('GET', 'entities?query=tags:reviewed&attributes=id')
  assert.equal(
    tagged.data.some(({ id }) => contributors.includes(id)),
    false,
  )
  assertQuiet()
})

test('selected entities are compared side by side', inBrowser, async () => {
  const { page, shot, assertQuiet } = await site.enter('/?consolidation=contributors&q=data.title:"Grey Heron"', {
    colorScheme: 'dark',
  })
  await found(page, '2 entities')
  for (const row of await rows(page).all()) await row.getByRole('checkbox').click()
  await page.getByRole('link', { name: 'Compare' }).click()
  const table = page.getByRole('region', { name: 'Comparison' })
  await table.getByText('Egret').waitFor()
  assert.equal(await table.getByRole('row', { name: /^Title/ }).count(), 1)
  await page.getByRole('switch', { name: 'Hide equal fields' }).click()
  await table.getByRole('row', { name: /^Title/ }).waitFor({ state: 'detached' })
  assert.equal(await table.getByRole('row', { name: /^Aliases/ }).count(), 1)
  await shot('consolidation-compare-dark')
  await assertAccessible(page, 'comparison')
  assertQuiet()
})
