import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { bundleOf, shippedContent } from '../set-up/attack-bundle.ts'
import { assertAccessible, inBrowser, openSite } from './site.ts'

interface Stored {
  readonly data: { readonly id: string; readonly meta: { readonly attacks: readonly string[] } }
}

let site: Awaited<ReturnType<typeof openSite>>
before(async () => {
  if (!inBrowser.skip) site = await openSite()
})
after(() => site?.stop())

/** Stores an entity that is classified with a node, and returns how to read its nodes. */
async function classify(title: string, node: string): Promise<() => Promise<readonly string[]>> {
  const { data } = await site.call<Stored>('POST', 'entities', {
    data: { data: { type: 'report', title }, meta: { attacks: [node] } },
  })
  return async () => {
    const { data: stored } = await site.call<Stored>('GET', `entities/${data.id}`)
    return stored.meta.attacks.map((url) => decodeURIComponent(url.split('/').at(-1) ?? ''))
  }
}

/** ICS in a next version: one technique has one successor, another two, and one has another name. */
async function nextVersion(): Promise<string> {
  const content = await shippedContent('ics-attack')
  const techniques = content.techniques.map((technique) => {
    if (technique.id === 'T0864') return { ...technique, revokedBy: ['T0862'] }
    if (technique.id === 'T0865') return { ...technique, revokedBy: ['T0859'] }
    return technique.id === 'T0817' ? { ...technique, name: 'Watering Hole' } : technique
  })
  return bundleOf({ ...content, version: '19.0', techniques })
}

test('a version is compared, loaded, reviewed and undone', inBrowser, async () => {
  const remapped = await classify('Cable in the control room', 'TA0108:T0864')
  const reviewed = await classify('Mail to the operator', 'TA0108:T0865')
  await classify('Page of a vendor', 'TA0108:T0817')
  const { page, shot, assertQuiet } = await site.enter('/attack/frameworks')
  await page.getByRole('region', { name: 'ATT&CK ICS' }).getByText('18.1').waitFor()
  await page.getByText('No other version has been loaded yet.').waitFor()
  await shot('frameworks')
  await assertAccessible(page, 'frameworks')

  await page.getByRole('button', { name: 'Load another version' }).click()
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Select bundle' }).click()
  await (await chooser).setFiles({ name: 'broken.json', mimeType: 'application/json', buffer: Buffer.from('{"a": 1}') })
  await page.getByRole('dialog').getByRole('alert').waitFor()
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'ics-19.json', mimeType: 'application/json', buffer: Buffer.from(await nextVersion()) })
  await page.getByRole('heading', { level: 1, name: 'ATT&CK ICS 19.0' }).waitFor()
  await page.getByText('Nothing has changed yet').waitFor()
  const uses = page.getByRole('table', { name: 'Nodes in use' })
  await uses.getByRole('row', { name: /TA0108:T0865 Spearphishing Attachment.*To be reviewed/ }).waitFor()
  await uses.getByRole('row', { name: /TA0108:T0864 .*Mapped.*TA0108:T0862 Supply Chain Compromise/ }).waitFor()
  await uses.getByRole('row', { name: /Drive-by Compromise.*Renamed.*Watering Hole/ }).waitFor()
  await page.getByRole('searchbox', { name: 'Filter changes' }).fill('watering')
  await page.getByRole('table', { name: 'Renamed' }).getByText('→ Watering Hole').first().waitFor()
  assert.equal(await page.getByRole('table', { name: 'Revoked' }).count(), 0)
  await shot('framework-preview')
  await assertAccessible(page, 'preview of a version')
  assert.deepEqual(await remapped(), ['TA0108:T0864'])

  await page.getByRole('button', { name: 'Load this version' }).click()
  await page.getByRole('button', { name: 'Load 19.0' }).click()
  await page.getByText('Changed 1 entity.').waitFor()
  assert.deepEqual(await remapped(), ['TA0108:T0862'])
  assert.deepEqual(await reviewed(), ['TA0108:T0865'])

  await page.getByRole('link', { name: 'Review it' }).click()
  await page.getByRole('heading', { level: 2, name: 'Spearphishing Attachment' }).waitFor()
  await page.getByText('1 of 1', { exact: true }).waitFor()
  await shot('framework-review')
  await assertAccessible(page, 'review')
  await page.keyboard.press('s')
  await page.getByRole('button', { name: 'Show open reviews' }).click()
  await page.getByRole('button', { name: 'Map to TA0110:T0859 Valid Accounts' }).waitFor()
  await page.getByRole('checkbox', { name: 'Select TA0110:T0859 Valid Accounts' }).check()
  await page.keyboard.press('m')
  await page.getByText('All reviews are decided').waitFor()
  await page.getByRole('status').getByText('TA0108:T0865 is mapped to', { exact: false }).waitFor()
  const [chosen] = await reviewed()
  assert.equal(chosen, 'TA0110:T0859')
  await page.getByText('Decided', { exact: true }).click()
  await page.getByRole('table', { name: 'Decided reviews' }).getByText(chosen).waitFor()

  await page.getByRole('link', { name: 'Frameworks', exact: true }).click()
  await page.getByRole('region', { name: 'ATT&CK ICS' }).getByText('19.0').waitFor()
  await page.getByRole('button', { name: 'Undo ATT&CK ICS 19.0' }).click()
  await page.getByRole('dialog').getByText('goes back to version 18.1', { exact: false }).waitFor()
  await shot('framework-undo')
  await page.getByRole('button', { name: 'Go back to 18.1' }).click()
  await page.getByRole('table', { name: 'History of loads' }).getByText('Undone').waitFor()
  assert.deepEqual(await remapped(), ['TA0108:T0864'])
  assert.deepEqual(await reviewed(), ['TA0108:T0865'])
  await assertQuiet()
})
