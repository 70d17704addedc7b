import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { finds, startSource } from '../set-up/enrichers.ts'
import { assertAccessible, inBrowser, openSite } from './site.ts'

let site: Awaited<ReturnType<typeof openSite>>
let source: Awaited<ReturnType<typeof startSource>>
before(async () => {
  if (inBrowser.skip) return
  site = await openSite()
  source = await startSource()
})
after(async () => {
  await site?.stop()
  await source?.stop()
})

const KEY = 'heron-key-123'

test(
  'an enricher is set up, tested and run on a selection, and its verdict and raw answer are shown',
  inBrowser,
  async () => {
    source.answers('/look-up', async (response, call) => {
      const isBad = call.value.startsWith('bad')
      if (!isBad) return void response.writeHead(404).end()
      await finds(
        { kind: 'verdict', maliciousness: 'high', reason: '12 of 70 engines flag it' },
        { kind: 'link', relation: 'resolves-to', observable: { type: 'ipv4', value: '198.51.100.7' } },
        { kind: 'entity', type: 'malware', id: 'm1', title: 'HeronLoader' },
        { kind: 'tag', value: 'loader' },
      )(response, call)
    })
    const observables = ['bad-heron.example', 'quiet-heron.example'].map((value) => ({ type: 'domain', value }))
    const entity = { data: { type: 'indicator', title: 'Heron domains' }, meta: { tlp_color: 'GREEN' }, observables }
    const stored = await site.call<{ data: { id: string } }>('POST', 'entities', { data: entity })
    const { page, shot, assertQuiet } = await site.enter('/enrichers')

    await page.getByText('No enrichers yet').waitFor()
    await assertAccessible(page, 'no enrichers')
    await page.getByRole('button', { name: 'New enricher' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Search functions' }).fill('web service')
    await dialog.getByRole('button', { name: 'Choose Own web service' }).waitFor()
    await shot('enricher-catalogue')
    await assertAccessible(page, 'catalogue of functions')
    await dialog.getByRole('button', { name: 'Choose Own web service' }).click()
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('reputation')
    await dialog.getByRole('textbox', { name: 'Address' }).fill('not an address')
    await dialog.getByLabel('API key').fill(KEY)
    await dialog.getByRole('button', { name: 'Create enricher' }).click()
    await dialog.locator('input[aria-invalid="true"]').waitFor()
    await shot('enricher-form')
    await assertAccessible(page, 'form of an enricher')
    await dialog.getByRole('textbox', { name: 'Address' }).fill(`${source.url}/look-up`)
    await dialog.getByRole('button', { name: 'Create enricher' }).click()

    await page.getByRole('textbox', { name: 'Value' }).fill('bad-heron[.]example')
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByRole('status').getByText('Found').waitFor()
    await page.getByText('12 of 70 engines flag it').first().waitFor()
    await shot('enricher-test')
    await assertAccessible(page, 'test of an enricher')
    assert.equal((await page.locator('#main').innerText()).includes(KEY), false, 'the key is masked')
    const kept = await site.call<{ total_count: number }>('GET', 'enrichments?data=false')
    assert.equal(kept.total_count, 0, 'a test stores nothing')

    await page.goto(`${site.url}/?q=Heron`)
    await page.getByRole('checkbox', { name: 'Select row 1' }).click()
    await page.getByRole('button', { name: 'Enrich', exact: true }).click()
    await dialog.getByText(/^2 look-ups · at most 2 calls/).waitFor()
    await shot('enrich-forecast')
    await assertAccessible(page, 'forecast')
    await dialog.getByRole('button', { name: 'Enrich', exact: true }).click()
    await dialog.getByText('Completed').waitFor()
    assert.equal(source.callsTo('/look-up').length, 3)

    await page.goto(`${site.url}/entities/${stored.data.id}?tab=enrichment`)
    const row = page.getByRole('row', { name: /bad-heron/ })
    await row.getByText('Malicious: high').nth(1).waitFor()
    await page
      .getByRole('row', { name: /quiet-heron/ })
      .getByText('Not known')
      .waitFor()
    await shot('entity-enrichment')
    await assertAccessible(page, 'enrichment of an entity')
    await row.getByRole('link', { name: /bad-heron/ }).click()
    const panel = page.getByRole('region', { name: 'Enrichment' })
    await panel.getByText('12 of 70 engines flag it').waitFor()
    await panel.getByText('HeronLoader').waitFor()
    await panel.getByRole('link', { name: '198[.]51[.]100[.]7' }).waitFor()
    await shot('observable-enrichment')
    await assertAccessible(page, 'enrichment of an observable')
    await panel.getByRole('button', { name: 'Raw answer of reputation' }).click()
    await dialog.getByText('"maliciousness": "high"').waitFor()
    const download = page.waitForEvent('download')
    await dialog.getByRole('link', { name: 'Download answer' }).click()
    assert.match((await download).suggestedFilename(), /^enrichment-\d+\.txt$/)
    await dialog.getByRole('button', { name: 'Close' }).click()

    await panel.getByRole('button', { name: 'Enrich now' }).click()
    await dialog.getByText(/^0 look-ups/).waitFor()
    await dialog.getByRole('switch', { name: /Look up again/ }).click({ force: true })
    await dialog.getByText(/^1 look-up · at most 1 call/).waitFor()
    await dialog.getByRole('button', { name: 'Enrich', exact: true }).click()
    await dialog.getByText('Completed').waitFor()
    assert.equal(source.callsTo('/look-up').length, 4)
    assertQuiet()
  },
)
