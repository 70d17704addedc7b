import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../until.ts'
import { assertAccessible, inBrowser, openSite } from './site.ts'

let site: Awaited<ReturnType<typeof openSite>>
before(async () => {
  if (!inBrowser.skip) site = await openSite()
})
after(() => site?.stop())

test('an empty installation explains how to start, and loads and removes demo data', inBrowser, async () => {
  const { page, shot, assertQuiet } = await site.enter('/')
  await page.getByRole('heading', { name: 'Welcome to Corvus' }).waitFor()
  await shot('first-run')
  await assertAccessible(page, 'first run')
  await page.getByRole('button', { name: 'Load demo data' }).click()
  await page.getByText('Demo data loaded.').waitFor()
  await page.getByRole('heading', { name: 'Welcome to Corvus' }).waitFor({ state: 'hidden' })
  await shot('demo-data')
  const loaded = await site.call<{ total_count: number }>('GET', 'entities?query=tags:corvus-demo&data=false')
  assert.equal(loaded.total_count, 500)

  await page.keyboard.press('Control+K')
  await page.getByPlaceholder('Search pages, entities and observables…').fill('remove demo')
  await page.getByRole('button', { name: 'Remove demo data' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('This deletes all 500 entities').waitFor()
  await page.getByRole('button', { name: 'Remove demo data' }).click()
  await page.getByRole('heading', { name: 'Welcome to Corvus' }).waitFor()
  assertQuiet()
})

test(
  'the palette opens pages, entities and observables by keyboard alone, and lists recent pages',
  inBrowser,
  async () => {
    const { data } = await site.call<{ data: { id: string } }>('POST', 'entities', {
      data: {
        data: { type: 'threat-actor', title: 'Velvet Heron of the north' },
        observables: [{ type: 'domain', value: 'velvet-heron.example' }],
      },
    })
    const { page, shot, assertQuiet } = await site.enter('/profile')
    const box = page.getByPlaceholder('Search pages, entities and observables…')
    await page.keyboard.press('Control+K')
    await box.fill('velvet her')
    await page.getByRole('button', { name: /Velvet Heron of the north/ }).waitFor()
    await shot('palette')
    await assertAccessible(page, 'palette')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/entities/${data.id}`)
    // The title is final, and remembered, once the page has loaded.
    await page.getByRole('heading', { level: 1, name: 'Velvet Heron of the north' }).waitFor()
    await page.keyboard.press('Control+K')
    await box.fill('velvet-heron[.]ex')
    await page.getByRole('button', { name: /velvet-heron\[\.\]example/ }).click()
    await page.waitForURL('**/observables/*')
    await page.keyboard.press('Control+K')
    await box.fill('outgoing')
    await page.getByRole('button', { name: 'Outgoing feeds' }).click()
    await page.getByRole('heading', { level: 1, name: 'Outgoing feeds' }).waitFor()
    await page.keyboard.press('Control+K')
    await page.getByRole('button', { name: 'Velvet Heron of the north' }).waitFor()
    await shot('palette-recent')
    await page.keyboard.press('Escape')
    assertQuiet()
  },
)

test('shortcuts focus the search box and open pages, and a dialog lists them', inBrowser, async () => {
  const { page, shot, assertQuiet } = await site.enter('/profile', { colorScheme: 'dark' })
  await page.getByRole('heading', { name: 'API tokens' }).waitFor()
  await page.keyboard.press('?')
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await list.getByText('Go to datasets').waitFor()
  await shot('shortcuts-dark')
  await assertAccessible(page, 'shortcuts, dark')
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'hidden' })
  await page.keyboard.press('g')
  await page.keyboard.press('i')
  await page.getByRole('heading', { level: 1, name: 'Incoming feeds' }).waitFor()
  await page.keyboard.press('/')
  await page.locator('[data-search-box]:focus, [data-search-box] :focus').waitFor()
  await page.keyboard.type('g t')
  assert.equal(new URL(page.url()).pathname, '/')
  assertQuiet()
})

test('the bell changes email notifications, and a lost connection shows a banner', inBrowser, async () => {
  const { page, context, shot, assertQuiet } = await site.enter('/profile')
  await page.getByRole('button', { name: /^Notifications/ }).click()
  const choice = page.getByRole('dialog', { name: 'Notifications' }).getByLabel('A task run I started fails')
  await choice.click()
  await until(async () => !(await choice.isChecked()), 'the choice is not stored')
  await shot('bell')
  await assertAccessible(page, 'bell')
  await page.reload()
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await choice.waitFor()
  await page.locator('[role=dialog] input:checked').nth(2).waitFor({ state: 'attached' })
  assert.equal(await choice.isChecked(), false)
  await page.keyboard.press('Escape')
  await context.setOffline(true)
  await page.getByText('You are offline.').waitFor()
  await shot('offline')
  await assertAccessible(page, 'offline')
  await context.setOffline(false)
  await page.getByText('You are offline.').waitFor({ state: 'hidden' })
  assertQuiet()
})

test('an unknown page and one whose script cannot be loaded explain what to do', inBrowser, async () => {
  const { page, shot, assertQuiet } = await site.enter('/nowhere/at/all')
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await shot('not-found')
  await assertAccessible(page, 'not found')
  assertQuiet()
  await page.route('**/assets/outgoing-feeds-*.js', (route) => route.abort())
  await page.getByRole('link', { name: 'Outgoing feeds' }).click()
  await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor()
  await shot('broken-page')
  await assertAccessible(page, 'broken page')
  await page.getByRole('link', { name: 'Incoming feeds' }).click()
  await page.getByRole('heading', { level: 1, name: 'Incoming feeds' }).waitFor()
})

test('on a phone the menu is behind a button, and nothing is cut off', inBrowser, async () => {
  const { page, shot, assertQuiet } = await site.enter('/profile', { viewport: { width: 400, height: 800 } })
  await page.getByRole('heading', { name: 'API tokens' }).waitFor()
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 400)
  await shot('profile-phone')
  await page.getByRole('button', { name: 'Menu' }).click()
  await shot('menu-phone')
  await page.getByRole('link', { name: 'Incoming feeds' }).click()
  await page.getByRole('heading', { level: 1, name: 'Incoming feeds' }).waitFor()
  assertQuiet()
})
