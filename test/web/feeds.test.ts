import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { assertAccessible, inBrowser, openSite } from './site.ts'

const LIST = 'Seen this week: hxxp://bad-heron[.]example/login and portal.own-company.example\n'

let site: Awaited<ReturnType<typeof openSite>>
const publisher = createServer((_, answer) => answer.setHeader('content-type', 'text/plain').end(LIST))
before(async () => {
  if (inBrowser.skip) return
  site = await openSite()
  publisher.listen(0, '127.0.0.1')
  await once(publisher, 'listening')
})
after(async () => {
  await site?.stop()
  publisher.close()
})

const address = () => `http://127.0.0.1:${(publisher.address() as AddressInfo).port}/list.txt`

test(
  'an incoming feed is created, rejected at its field, tested, run, and shows what it fetched',
  inBrowser,
  async () => {
    await site.call('POST', 'exclusion-lists', { data: { name: 'Ours', entries: ['*.own-company.example'] } })
    const { page, shot, assertQuiet } = await site.enter('/incoming-feeds')
    await page.getByText('No feeds yet').waitFor()
    await shot('incoming-feeds-empty')
    await assertAccessible(page, 'no incoming feeds')
    await page.getByRole('button', { name: 'Create feed' }).first().click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Heron watch')
    await page.getByRole('textbox', { name: 'Address' }).fill('not an address')
    await page.getByRole('dialog').getByRole('button', { name: 'Create feed' }).click()
    await page.getByRole('textbox', { name: 'Address', description: /address|URL/i }).waitFor()
    await page.locator('input[aria-invalid="true"]').waitFor()
    await shot('feed-form')
    await assertAccessible(page, 'feed form')
    assert.equal(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue(), 'Heron watch')
    await page.getByRole('textbox', { name: 'Address' }).fill(address())
    await page.getByRole('dialog').getByRole('button', { name: 'Create feed' }).click()
    await page.getByRole('tab', { name: 'Test' }).click()
    await page.getByRole('button', { name: 'Test feed' }).click()
    await page.getByText('bad-heron[.]example', { exact: false }).first().waitFor()
    await page.getByText('Ours: 1').waitFor()
    await shot('feed-test')
    await assertAccessible(page, 'feed test')
    const stored = await site.call<{ total_count: number }>('GET', 'observables?data=false')
    assert.equal(stored.total_count, 0)
    await page.getByRole('button', { name: 'Run now' }).click()
    await page.getByRole('status').getByText('Completed').first().waitFor()
    await page.getByRole('tab', { name: 'Fetched content' }).click()
    await page
      .getByRole('row', { name: /list\.txt/ })
      .getByText('Completed')
      .waitFor()
    await shot('feed-blobs')
    await assertAccessible(page, 'feed blobs')
    await page.getByRole('tab', { name: 'Overview' }).click()
    await page.getByRole('img', { name: /objects in 30 days/ }).waitFor()
    await shot('feed-overview')
    await assertAccessible(page, 'feed overview')
    await page.getByRole('link', { name: 'Incoming feeds' }).click()
    await page
      .getByRole('row', { name: /Heron watch/ })
      .getByText('Healthy')
      .waitFor()
    await shot('incoming-feeds')
    await page.getByRole('link', { name: 'Heron watch' }).click()
    await page.getByRole('button', { name: 'Settings', exact: true }).click()
    await page.getByRole('button', { name: 'Show advanced settings' }).click()
    await page.getByRole('textbox', { name: 'Half life' }).fill('-5')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.locator('input[aria-invalid="true"]').waitFor()
    await page.getByRole('textbox', { name: 'Half life' }).fill('90')
    await shot('feed-settings')
    await assertAccessible(page, 'all settings of a feed')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('alert').filter({ hasText: 'Changes saved' }).waitFor()
    const { data: feeds } = await site.call<{ data: { half_life: number }[] }>('GET', 'incoming-feeds')
    assert.equal(feeds[0]?.half_life, 90)
    assertQuiet()
  },
)

test('a feed form that could not load shows the error and loads when tried again', inBrowser, async () => {
  const { page, assertQuiet } = await site.enter('/incoming-feeds')
  await page.getByRole('button', { name: 'Create feed' }).first().waitFor()
  await page.route('**/api/v2/openapi.json', (route) => route.abort())
  await page.reload()
  await page.getByRole('button', { name: 'Create feed' }).first().click()
  await page.getByRole('dialog').getByText('The server cannot be reached').waitFor()
  await assertAccessible(page, 'feed form that could not load')
  await page.unroute('**/api/v2/openapi.json')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).and(page.locator(':focus')).waitFor()
  assertQuiet()
})

test('an outgoing feed previews and publishes a block, which is downloaded and purged', inBrowser, async () => {
  await site.call('PUT', 'entities', { data: [{ data: { type: 'indicator', title: 'Outbound kite' } }] })
  const dataset = { name: 'All indicators', search_query: 'type:indicator', workspaces: [1] }
  const { data } = await site.call<{ data: { id: number } }>('POST', 'datasets', { data: dataset })
  const made = await site.call<{ data: { id: number } }>('POST', 'outgoing-feeds', {
    data: {
      name: 'For partners',
      datasets: [data.id],
      content_type: 'urn:oasis:stix:json:2.1',
      transport_type: 'http-download',
      update_strategy: 'REPLACE',
    },
  })
  const { page, shot, assertQuiet } = await site.enter(`/outgoing-feeds/${made.data.id}?tab=preview`, {
    colorScheme: 'dark',
  })
  await page.getByRole('button', { name: 'Preview next block' }).click()
  await page.getByText('Outbound kite').waitFor()
  await shot('feed-preview-dark')
  await assertAccessible(page, 'feed preview, dark')
  await page.getByRole('button', { name: 'Run now' }).click()
  await page.getByRole('status').getByText('Completed').first().waitFor()
  await page.getByRole('tab', { name: 'Content blocks' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: /^Download/ }).click()
  assert.match((await download).suggestedFilename(), /json$/)
  await shot('feed-blocks-dark')
  await assertAccessible(page, 'feed blocks, dark')
  await page.getByRole('button', { name: /^Purge/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Purge' }).click()
  await page.getByText('Purged').waitFor()
  await page.getByRole('button', { name: 'Restart feed' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Restart feed' }).click()
  await page.getByRole('alert').filter({ hasText: 'Its next run publishes everything' }).waitFor()
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('For all partners')
  await assertAccessible(page, 'outgoing feed form, dark')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('heading', { level: 1, name: 'For all partners' }).waitFor()
  assertQuiet()
})
