import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { finds, startSource } from '../set-up/enrichers.ts'
import { settled, stageOf } from './graph-steps.ts'
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
    await page.getByRole('button', { name: 'Create enricher' }).first().click()
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

test(
  'enriching a node of a graph adds what it is linked to, and a rule previews what it would look up',
  inBrowser,
  async () => {
    source.answers(
      '/links',
      finds(
        { kind: 'verdict', maliciousness: 'medium' },
        { kind: 'link', relation: 'resolves-to', observable: { type: 'ipv4', value: '203.0.113.9' } },
        { kind: 'entity', type: 'threat-actor', id: 'a1', title: 'Grey Crane' },
      ),
    )
    const observable = { type: 'domain', value: 'crane.example' }
    const { data: made } = await site.call<{ data: { id: number } }>('POST', 'observables', { data: observable })
    const enricher = {
      name: 'links',
      enricher: 'builtin:own_service',
      is_active: true,
      supported_observable_types: ['domain'],
      parameters: { url: `${source.url}/links` },
      limits: [{ calls: 100, seconds: 86_400 }],
    }
    await site.call('POST', 'enrichers', { data: enricher })
    const { page, shot, assertQuiet } = await site.enter(`/graph?observables=${made.id}`, { colorScheme: 'dark' })
    await settled(page, 1)
    await stageOf(page).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Enrich' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('checkbox', { name: 'links' }).waitFor()
    const other = dialog.getByRole('checkbox', { name: 'reputation' })
    if (await other.isVisible()) await other.uncheck()
    await dialog.getByText(/^1 look-up · at most 1 call/).waitFor()
    await dialog.getByRole('button', { name: 'Enrich', exact: true }).click()
    await dialog.getByText('Completed').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await settled(page, 3)
    await shot('graph-enriched-dark')
    await page.getByRole('tab', { name: 'List' }).click()
    await page.getByRole('list', { name: 'Nodes' }).getByText('Grey Crane').waitFor()
    await page.getByRole('list', { name: 'Nodes' }).getByText('203[.]0[.]113[.]9').waitFor()

    await page.goto(`${site.url}/enrichment-rules`)
    await page.getByText('No enrichment rules yet').waitFor()
    await page.getByRole('button', { name: 'Create enrichment rule' }).first().click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Indicators')
    await page.getByRole('combobox', { name: 'Add enricher' }).click()
    await page.getByRole('option', { name: 'links' }).click()
    await page
      .getByRole('region', { name: 'Preview' })
      .getByText(/^\d+ observables$/)
      .waitFor()
    await assertAccessible(page, 'form of an enrichment rule, dark')
    await page.getByRole('button', { name: 'Create rule' }).click()
    await page.getByRole('heading', { level: 1, name: 'Indicators' }).waitFor()
    await page.getByRole('link', { name: 'links' }).waitFor()
    await shot('enrichment-rule-dark')
    await assertAccessible(page, 'enrichment rule, dark')

    await site.call('PATCH', `observables/${made.id}`, { data: { meta: { maliciousness: 'safe' } } })
    await page.goto(`${site.url}/observables/${made.id}`)
    const panel = page.getByRole('region', { name: 'Enrichment' })
    await panel.getByText('takes precedence').waitFor()
    await panel.getByText('Malicious: medium').first().waitFor()
    const [own, found] = await panel.getByRole('row', { name: /Safe|medium/ }).all()
    assert.match((await own?.innerText()) ?? '', /SAFE[\s\S]*takes precedence/i)
    assert.match((await found?.innerText()) ?? '', /links[\s\S]*MEDIUM/i)
    assertQuiet()
  },
)
