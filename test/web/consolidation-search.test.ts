import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, inBrowser, openSite } from './site.ts'
import { makeEntity, makeGroup, makePolicy, unifiedOf } from './unified-steps.ts'

let site: Awaited<ReturnType<typeof openSite>>
let contributors: readonly string[]

const actor = (title: string, aliases: readonly string[]) => ({ type: 'threat-actor', title, aliases })

before(async () => {
  if (inBrowser.skip) return
  site = await openSite()
  const [first, second, merge] = [
    await makeGroup(site, 'First vendor'),
    await makeGroup(site, 'Second vendor'),
    await makeGroup(site, 'Merge group'),
  ]
  await makePolicy(site, merge.group, ['threat-actor'])
  contributors = [
    await makeEntity(site, first.source, actor('Grey Heron', ['Egret']), { meta: { tags: ['apt'] } }),
    await makeEntity(site, second.source, actor('Grey Heron', ['Bittern']), { meta: { tags: ['apt', 'banking'] } }),
  ]
  await makeEntity(site, first.source, actor('Magpie', []), { meta: { tags: ['apt'] } })
  await makeEntity(site, second.source, { type: 'malware', title: 'Heron loader' }, { meta: { tags: ['loader'] } })
  await makeEntity(site, first.source, { type: 'malware', title: 'Heron dropper' }, { meta: { tags: ['loader'] } })
  await unifiedOf(site, contributors[0] ?? '')
})
after(() => site?.stop())

const found = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true }).waitFor()
const rows = (page: Page) => page.getByRole('grid', { name: 'Results' }).locator('tbody').getByRole('row')
const view = (page: Page, name: string) =>
  page.getByRole('radiogroup', { name: 'Unified entities' }).getByText(name, { exact: true }).click()

test('a unified entity stands for its contributors until they are shown', inBrowser, async () => {
  const { page, shot, assertQuiet } = await site.enter('/')
  await found(page, '4 entities')
  assert.equal(await rows(page).getByText('Unified', { exact: true }).count(), 1)
  assert.equal(await rows(page).getByText('Contributor', { exact: true }).count(), 0)
  await page.getByRole('region', { name: 'Tag' }).getByRole('button', { name: 'apt 2' }).waitFor()
  await shot('consolidation-search-unified')
  await assertAccessible(page, 'unified search')

  await view(page, 'All')
  await found(page, '6 entities')
  assert.equal(await rows(page).getByText('Contributor', { exact: true }).count(), 2)
  await page.getByRole('region', { name: 'Tag' }).getByRole('button', { name: 'apt 4' }).waitFor()
  assert.match(page.url(), /consolidation=all/)
  await shot('consolidation-search-all')

  await view(page, 'Contributors')
  await found(page, '5 entities')
  assert.equal(await rows(page).getByText('Unified', { exact: true }).count(), 0)
  await page.goto(`${site.url}/`)
  await found(page, '5 entities')
  await page.goto(`${site.url}/?consolidation=unified`)
  await found(page, '4 entities')
  assertQuiet()
})

test('changes of all results apply to what is shown', inBrowser, async () => {
  const { page, assertQuiet } = await site.enter('/')
  await found(page, '4 entities')
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

test('selected entities are consolidated by hand, and taken apart again', inBrowser, async () => {
  const { page, shot, assertQuiet } = await site.enter('/?consolidation=unified&q=type:malware')
  await found(page, '2 entities')
  for (const row of await rows(page).all()) await row.getByRole('checkbox').click()
  await page.getByRole('button', { name: 'Consolidation' }).click()
  await page.getByRole('menuitem', { name: 'Consolidate…', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Malware: 2 entities, which become one unified entity').waitFor()
  await shot('consolidation-dialog')
  await dialog.getByRole('button', { name: 'Consolidate', exact: true }).click()
  await page.getByText('2 entities consolidated into 1 unified entity.').waitFor()
  await found(page, '1 entity')
  assert.equal(await rows(page).getByText('Unified', { exact: true }).count(), 1)

  await rows(page).first().getByRole('checkbox').click()
  await page.getByRole('button', { name: 'Consolidation' }).click()
  await page.getByRole('menuitem', { name: 'Deconsolidate…' }).click()
  await dialog.getByText('Malware: 2 contributors').waitFor()
  await shot('consolidation-take-out')
  await dialog.getByRole('button', { name: 'Deconsolidate', exact: true }).click()
  await found(page, '2 entities')
  assertQuiet()
})
