import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startVendors, type Vendors } from '../detonators/vendors.ts'
import { assertAccessible, inBrowser, openSite } from './site.ts'

let site: Awaited<ReturnType<typeof openSite>>
let vendors: Vendors
before(async () => {
  if (inBrowser.skip) return
  site = await openSite()
  vendors = await startVendors()
  vendors.finishesAfter(0)
})
after(async () => {
  await site?.stop()
  await vendors?.stop()
})

interface Made {
  readonly data: { readonly id: string }
}

const makeEntity = async (title: string, more: object = {}) =>
  (await site.call<Made>('POST', 'entities', { data: { data: { type: 'incident', title }, ...more } })).data.id

test(
  'a sandbox is set up and tested, runs an uploaded sample, and the accepted observables are on an entity',
  inBrowser,
  async () => {
    const incident = await makeEntity('Heron invoice')
    const { page, shot, assertQuiet } = await site.enter('/detonators')
    const dialog = page.getByRole('dialog')

    const row = page.getByRole('row', { name: /CAPEv2/ })
    await row.getByText('Not set up').waitFor()
    assert.equal(await page.getByRole('row').count(), 5, 'four sandboxes are ready to set up')
    await shot('detonators')
    await assertAccessible(page, 'detonators')
    await row.getByRole('link', { name: 'Set up CAPEv2' }).click()
    await dialog.getByRole('textbox', { name: 'Address' }).fill('no address')
    await dialog.getByRole('switch', { name: 'Active' }).click({ force: true })
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await dialog.locator('input[aria-invalid="true"]').first().waitFor()
    await shot('detonator-form')
    await assertAccessible(page, 'form of a detonator')
    await dialog.getByRole('textbox', { name: 'Address' }).fill(vendors.parameters.cape.url)
    await dialog.getByLabel('API key').fill(vendors.parameters.cape.api_key)
    await dialog.getByLabel('Submissions per day').fill('20')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Test connection' }).click()
    await page.getByText('Connection works').waitFor()
    await shot('detonator')
    await assertAccessible(page, 'detonator')

    await page.goto(`${site.url}/detonations`)
    await page.getByText('No detonations yet').waitFor()
    await page.getByRole('button', { name: 'Detonate sample' }).first().click()
    const content = { name: 'invoice.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('MZ heron') }
    await dialog.locator('input[type=file]').setInputFiles(content)
    await dialog.getByText('The sandbox is first asked for its hash').waitFor()
    assert.equal(await dialog.getByRole('checkbox', { name: 'Joe Sandbox' }).isDisabled(), true)
    assert.equal(await dialog.getByRole('button', { name: 'Detonate', exact: true }).isDisabled(), true)
    await shot('detonate-consent')
    await assertAccessible(page, 'consent')
    assert.equal(vendors.received({ what: 'submit' }).length, 0)
    await dialog.getByRole('button', { name: 'Accept terms of CAPEv2' }).click()
    await dialog.getByRole('checkbox', { name: 'CAPEv2', checked: true }).waitFor()
    await shot('detonate-dialog')
    await assertAccessible(page, 'detonation dialog')
    await dialog.getByRole('button', { name: 'Detonate', exact: true }).click()
    await dialog.getByRole('region', { name: 'Detonation in CAPEv2' }).waitFor()
    await dialog.getByText('Malicious · 100/100').waitFor()
    await shot('detonate-finished')
    assert.equal(vendors.received({ what: 'submit' }).length, 1)
    await dialog.getByRole('link', { name: 'Open report' }).click()

    await page.getByRole('heading', { name: 'invoice.exe' }).waitFor()
    await page.getByText('Contacts a known control server').waitFor()
    await page.getByRole('button', { name: 'Enlarge screenshot 1' }).waitFor()
    await shot('detonation-report')
    await page.getByRole('button', { name: 'Enlarge screenshot 1' }).click()
    await page.getByRole('dialog', { name: 'Screenshot 1 of 2' }).waitFor()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('dialog', { name: 'Screenshot 2 of 2' }).waitFor()
    await page.keyboard.press('Escape')
    await assertAccessible(page, 'report')
    await page.getByRole('button', { name: 'Download' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: /Sample \(zip, password/ }).click()
    assert.equal((await download).suggestedFilename(), 'invoice.exe.zip')
    await page.getByRole('button', { name: 'Detonate again' }).click()
    const force = dialog.getByRole('checkbox', { name: 'Submit again although there is a result', checked: true })
    await force.waitFor()
    await shot('detonate-again')
    await assertAccessible(page, 'detonating again')
    await force.uncheck()
    await dialog.getByRole('button', { name: 'Detonate', exact: true }).click()
    await dialog.getByText('Nothing was submitted: there is a valid result').waitFor()
    assert.equal(vendors.received({ what: 'submit' }).length, 1)
    await dialog.getByRole('button', { name: 'Submit again' }).click()
    await dialog.getByText('Nothing was submitted').waitFor({ state: 'detached' })
    await dialog.getByText('Malicious · 100/100').waitFor()
    assert.equal(vendors.received({ what: 'submit' }).length, 2)
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
    for (const [tab, text] of [
      [/^Processes/, 'PID 2104'],
      [/^Network/, '203[.]0[.]113[.]50'],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click()
      await page.getByText(text).first().waitFor()
      await assertAccessible(page, String(tab))
    }

    await page.getByRole('tab', { name: /^Observables/ }).click()
    await page.getByRole('checkbox', { name: 'Select IPv4 address 203[.]0[.]113[.]50' }).click()
    await page.getByRole('checkbox', { name: 'Select domain panel[.]invented-c2[.]example' }).click()
    await shot('detonation-observables')
    await assertAccessible(page, 'extracted observables')
    await page.getByRole('button', { name: 'Accept 2 observables' }).click()
    await dialog.getByRole('textbox', { name: 'Search for an entity' }).fill('Heron')
    await page.getByRole('option', { name: /Heron invoice/ }).click()
    await shot('accept-observables')
    await assertAccessible(page, 'accepting observables')
    await dialog.getByRole('button', { name: 'Accept 2 observables' }).click()
    await dialog.getByText('2 observables were accepted.').waitFor()
    await dialog.getByRole('link', { name: 'Show them on the entity' }).click()
    await page.waitForURL(`**/entities/${incident}?tab=observables`)
    await page.getByText('203[.]0[.]113[.]50').first().waitFor()
    await page.getByText('panel[.]invented-c2[.]example').first().waitFor()
    assertQuiet()
  },
)
