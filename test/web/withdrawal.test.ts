import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../until.ts'
import { assertAccessible, inBrowser, openSite } from './site.ts'

let site: Awaited<ReturnType<typeof openSite>>
before(async () => {
  if (!inBrowser.skip) site = await openSite()
})
after(() => site?.stop())

interface Feed {
  readonly id: number
  readonly update_strategy: string
  readonly withdrawn: string
  readonly n_blobs_pending: number
}

const feedsNamed = async (name: string): Promise<Feed[]> =>
  (await site.call<{ data: Feed[] }>('GET', `incoming-feeds?filter[name]=${encodeURIComponent(name)}`)).data

const choose = async (page: Page, label: string, option: string) => {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option }).click()
}

const TIME = '2024-01-01T00:00:00.000Z'
const malware = (n: number, name: string) => ({
  type: 'malware',
  spec_version: '2.1',
  id: `malware--00000000-0000-4000-8000-00000000000${n}`,
  created: TIME,
  modified: TIME,
  name,
  is_family: false,
})

/** Pushes the complete content of a feed and waits until it is processed. */
async function push(feed: number, ...objects: object[]): Promise<void> {
  const id = `bundle--00000000-0000-4000-8000-00000000000${objects.length}`
  await site.call('POST', `incoming-feeds/${feed}/push?name=everything.json`, { type: 'bundle', id, objects })
  const isDone = async () =>
    (await site.call<{ data: Feed }>('GET', `incoming-feeds/${feed}`)).data.n_blobs_pending === 0
  await until(isDone, 'the content still waits')
}

test(
  'the content per transfer and the handling of withdrawn entities are set in the feed form',
  inBrowser,
  async () => {
    const { page, shot, assertQuiet } = await site.enter('/incoming-feeds')
    await page.getByRole('button', { name: 'Create feed' }).first().click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Follows its sender')
    await choose(page, 'Transport', 'RSS')
    await page.getByRole('textbox', { name: 'Address' }).fill('https://feeds.example/rss')
    await choose(page, 'Content per transfer', 'Complete content')
    await choose(page, 'Withdrawn entities', 'Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Create feed' }).click()
    await page.locator('input[aria-invalid="true"]').waitFor()
    await shot('feed-withdrawal-refused')
    await assertAccessible(page, 'a refused choice of transfers')
    assert.equal(await page.getByRole('combobox', { name: 'Withdrawn entities' }).inputValue(), 'Delete')
    await choose(page, 'Content per transfer', 'New and changed objects')
    await page.getByRole('dialog').getByRole('button', { name: 'Create feed' }).click()
    await page.getByRole('button', { name: 'Settings', exact: true }).click()
    await choose(page, 'Withdrawn entities', 'Keep unchanged')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('alert').filter({ hasText: 'Changes saved' }).waitFor()
    const [feed] = await feedsNamed('Follows its sender')
    assert.deepEqual([feed?.update_strategy, feed?.withdrawn], ['APPEND', 'keep'])
    assertQuiet()
  },
)

test('a withdrawn entity is marked on every page', inBrowser, async () => {
  const given = { name: 'Withdraws', transport_type: 'push', update_strategy: 'REPLACE' }
  const { data: feed } = await site.call<{ data: Feed }>('POST', 'incoming-feeds', { data: given })
  const [stays, goes] = [malware(1, 'Staying stoat'), malware(2, 'Withdrawn weasel')]
  await push(feed.id, stays, goes)
  await push(feed.id, stays)
  const { page, shot, assertQuiet } = await site.enter('/?q=staying OR withdrawn')
  const row = (name: RegExp) => page.getByRole('row', { name })
  await row(/Withdrawn weasel/)
    .getByText('Withdrawn', { exact: true })
    .waitFor()
  assert.equal(
    await row(/Staying stoat/)
      .getByText('Withdrawn', { exact: true })
      .count(),
    0,
  )
  await shot('search-withdrawn')
  await assertAccessible(page, 'a withdrawn entity in a search')
  await row(/Withdrawn weasel/)
    .getByRole('link', { name: /Withdrawn weasel/ })
    .click()
  await page.getByRole('heading', { name: /Withdrawn weasel/ }).waitFor()
  await page.getByText('Withdrawn', { exact: true }).first().waitFor()
  await shot('entity-withdrawn')
  await assertAccessible(page, 'a withdrawn entity')
  await push(feed.id, stays, goes)
  await page.reload()
  await page.getByRole('heading', { name: /Withdrawn weasel/ }).waitFor()
  assert.equal(await page.getByText('Withdrawn', { exact: true }).count(), 0)
  assertQuiet()
})
