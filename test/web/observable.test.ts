import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertAccessible, inBrowser, openSite } from './site.ts'

let site: Awaited<ReturnType<typeof openSite>>
before(async () => {
  if (!inBrowser.skip) site = await openSite()
})
after(() => site?.stop())

test('an observable shows its entities and sightings, and its rating can be undone', inBrowser, async () => {
  const days = ['2026-01-05', '2026-01-05', '2026-01-20', '2026-02-11']
  await site.call('PUT', 'entities', {
    data: days.map((day, i) => ({
      data: { type: 'indicator', title: `Beacon ${i}` },
      meta: { estimated_observed_time: `${day}T08:00:00Z`, tlp_color: 'GREEN' },
      observables: [
        { type: 'domain', value: 'evil.example' },
        ...(i < 2 ? [{ type: 'uri', value: 'https://evil.example/gate.php' }] : []),
      ],
    })),
  })
  const { data } = await site.call<{ data: { id: number }[] }>('GET', 'observables?filter[value]=evil.example')
  const id = data[0]?.id
  const { page, shot, assertQuiet } = await site.enter(`/observables/${id}`, { colorScheme: 'dark' })
  await page.getByRole('heading', { level: 1, name: 'evil[.]example' }).waitFor()
  await page.getByRole('img', { name: '4 entities in 38 days' }).locator('canvas').waitFor()
  await page.getByRole('link', { name: 'Beacon 3' }).waitFor()
  await page.getByText('hxxps://evil[.]example/gate.php').waitFor()
  await page.getByText('2 entities', { exact: true }).waitFor()
  await shot('observable-dark')
  await assertAccessible(page, 'observable in the dark')
  await page.getByText('Month', { exact: true }).click()
  await page.getByRole('img', { name: '4 entities in 2 months' }).waitFor()
  assert.match(page.url(), /by=month/)

  await page.emulateMedia({ colorScheme: 'light' })
  await page.getByRole('combobox', { name: 'Maliciousness of evil[.]example' }).click()
  await page.getByRole('option', { name: 'Malicious: high' }).click()
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  await shot('observable-rated')
  await assertAccessible(page, 'observable in the light')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone').waitFor()
  const { data: rated } = await site.call<{ data: { meta: object } }>('GET', `observables/${id}`)
  assert.deepEqual(rated.meta, { maliciousness: 'unknown' })
  assert.equal(await page.locator('a[href*="evil"]').count(), 0)
  await page.goto(`${site.url}/observables/999999`)
  await page.getByText('Observable not found').waitFor()
  await page.setViewportSize({ width: 400, height: 800 })
  await page.goto(`${site.url}/observables/${id}`)
  await page.getByRole('link', { name: 'Beacon 3' }).waitFor()
  await shot('observable-small')
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= 400'), true)
  assertQuiet()
})
