import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { assertAccessible, inBrowser, openSite } from './site.ts'

let site: Awaited<ReturnType<typeof openSite>>
before(async () => {
  if (!inBrowser.skip) site = await openSite()
})
after(() => site?.stop())

interface Made {
  readonly data: { readonly id: string }
}

const make = async (type: string, title: string, more: object = {}, properties: object = {}): Promise<string> =>
  (await site.call<Made>('POST', 'entities', { data: { data: { type, title, ...more }, ...properties } })).data.id

test(
  'an incident is rejected at nested fields, created, edited, related and compared across versions',
  inBrowser,
  async () => {
    await make('malware', 'Heron loader')
    const { page, shot, assertQuiet } = await site.enter('/entities/new')
    await page.getByRole('link', { name: 'Incident' }).waitFor()
    await shot('entity-types')
    await page.getByRole('link', { name: 'Incident' }).click()
    await page.getByRole('textbox', { name: 'Title' }).fill('Mail with a lure')
    await page
      .getByRole('textbox', { name: 'Description', exact: true })
      .fill('Sent to **three** banks from evil.example.')
    await page.getByRole('button', { name: 'Add to Affected assets' }).click()
    await page.getByRole('button', { name: 'Add observable' }).click()
    await page.getByRole('textbox', { name: 'Value of observable 1' }).fill('login[.]bank[.]example')
    assert.equal(await page.getByRole('combobox', { name: 'Type of observable 1' }).inputValue(), 'domain')
    await page.keyboard.press('Control+Enter')
    const asset = page.getByRole('group', { name: 'Affected assets 1' })
    await asset.getByText('is required').first().waitFor()
    assert.equal(await asset.getByText('is required').count(), 5)
    assert.equal(await page.getByRole('textbox', { name: 'Title' }).inputValue(), 'Mail with a lure')
    await shot('entity-refused')
    await assertAccessible(page, 'refused form')
    await page.getByRole('button', { name: 'Remove Affected assets 1' }).click()
    await page.getByRole('combobox', { name: 'TLP' }).click()
    await page.getByRole('option', { name: 'TLP:AMBER', exact: true }).click()
    await page.keyboard.press('Control+Enter')
    await page.getByRole('heading', { level: 1, name: 'Mail with a lure' }).waitFor()
    await page.getByText('evil[.]example').waitFor()
    await shot('entity-overview')
    await assertAccessible(page, 'overview')

    await page.getByRole('link', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'Title' }).fill('Mail with a new lure')
    await page.getByRole('link', { name: 'Datasets' }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    await shot('entity-leave')
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await page
      .getByRole('textbox', { name: 'Description', exact: true })
      .fill('Sent to **four** banks from evil.example.')
    const [, id] = /entities\/([\w-]+)\/edit/.exec(page.url()) ?? []
    await site.call('PATCH', `entities/${id}`, { data: { meta: { tags: ['theirs'] } } })
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Another user changed this entity').waitFor()
    await shot('entity-conflict')
    await page.getByRole('button', { name: 'Save my changes' }).click()
    await page.getByRole('heading', { level: 1, name: 'Mail with a new lure' }).waitFor()

    await page.getByText('theirs').waitFor()

    await page.getByRole('tab', { name: 'Relationships' }).click()
    await page.getByRole('button', { name: 'Add relationship' }).click()
    await page.getByRole('combobox', { name: 'Related entity' }).fill('her load')
    await page.getByRole('option', { name: 'Heron loader' }).click()
    await page.getByRole('combobox', { name: 'Relationship type' }).fill('related-to')
    await shot('entity-relate')
    await page.getByRole('dialog').getByRole('button', { name: 'Add relationship' }).click()
    await page.getByRole('link', { name: 'Heron loader' }).waitFor()
    await page.getByRole('button', { name: 'Remove relationship with Heron loader' }).click()
    await page.getByText('No relationships yet').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'Heron loader' }).waitFor()
    await shot('entity-relationships')

    await page.getByRole('tab', { name: 'Versions' }).click()
    const title = page.getByRole('region', { name: 'Title', exact: true })
    await title.locator('ins').waitFor()
    assert.equal(await title.locator('ins').textContent(), 'new ')
    assert.equal(
      await page.getByRole('region', { name: 'Description', exact: true }).locator('del').textContent(),
      'three',
    )
    await shot('entity-versions')
    await assertAccessible(page, 'versions')
    assertQuiet()
  },
)

test('every tab of an entity renders in light and dark, and on a small screen', inBrowser, async () => {
  const id = await make(
    'threat-actor',
    'Grey Heron',
    {
      description:
        '# Who\n\nA group that writes to [banks](https://bank.example/x).\n\n| a | b |\n|---|---|\n| 1 | 2 |',
      aliases: ['Egret', 'Bittern'],
      goals: ['money'],
      first_seen: '2024-01-29T07:42:07Z',
      confidence: 'high',
      external_references: [{ source_name: 'report', url: 'https://evil.example/report' }],
      own_thing: { deep: [1, 2] },
    },
    {
      meta: { tags: ['apt', 'banking'], tlp_color: 'RED', source_reliability: 'B' },
      observables: [
        { type: 'domain', value: 'evil.example' },
        { type: 'ipv4', value: '192.0.2.1', maliciousness: 'high' },
      ],
    },
  )
  const other = await make(
    'indicator',
    'Shares a domain',
    {},
    { observables: [{ type: 'domain', value: 'evil.example' }] },
  )
  const { data: sources } = await site.call<{ data: { id: string }[] }>('GET', 'sources?filter[type]=group')
  const relationship = { data: { source: other, target: id, key: 'indicates' }, sources: [sources[0]?.id] }
  await site.call('POST', 'relationships', { data: relationship })
  await site.call('POST', 'entities/attachments', {
    data: { filename: 'note.txt', data: Buffer.from('hello').toString('base64'), entities: [id] },
  })
  await site.call('PATCH', `entities/${id}`, { data: { data: { goals: ['money', 'fame'] } } })
  const { page, shot, assertQuiet } = await site.enter(`/entities/${id}`, { colorScheme: 'dark' })
  const tabs: readonly (readonly [string, string])[] = [
    ['Overview', 'Egret'],
    ['Description', 'hxxps://bank[.]example/x'],
    ['Observables', '192[.]0[.]2[.]1'],
    ['Relationships', 'Shares a domain'],
    ['Neighbourhood', 'In 1 other entity'],
    ['Attachments', 'note.txt'],
    ['Versions', 'Version 2 (now)'],
    ['History', 'Created'],
    ['JSON', '"own_thing"'],
  ]
  for (const [name, text] of tabs) {
    await page.getByRole('tab', { name }).click()
    await page.getByRole('tabpanel').getByText(text).first().waitFor()
    await shot(`entity-dark-${name.toLowerCase()}`)
    await assertAccessible(page, `${name} in the dark`)
    assert.equal(await page.locator('a[href*="evil"], a[href*="bank.example"]').count(), 0, name)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  for (const name of ['Observables', 'Attachments', 'JSON']) {
    await page.getByRole('tab', { name }).click()
    await shot(`entity-light-${name.toLowerCase()}`)
    await assertAccessible(page, `${name} in the light`)
  }
  await page.setViewportSize({ width: 400, height: 800 })
  await page.getByRole('tab', { name: 'Overview' }).click()
  await shot('entity-small')
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= 400'), true)
  assertQuiet()
})

test(
  'attachments are added, removed and restored, and deleting an entity lists what is affected',
  inBrowser,
  async () => {
    const id = await make('report', 'To be deleted', {}, { observables: [{ type: 'domain', value: 'gone.example' }] })
    const { page, shot, assertQuiet } = await site.enter(`/entities/${id}`)
    await page.getByRole('tab', { name: 'Attachments' }).click()
    await page.getByText('No attachments yet').waitFor()
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Attach files' }).click()
    await (await chooser).setFiles([
      { name: 'sample "one".txt', mimeType: 'text/plain', buffer: Buffer.from('of an analyst') },
      { name: 'two.bin', mimeType: 'application/octet-stream', buffer: Buffer.from([0, 1, 2]) },
    ])
    await page.getByText('2 files attached').waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download sample "one".txt' }).click()
    assert.equal(await text(await (await download).createReadStream()), 'of an analyst')
    await page.getByRole('button', { name: 'Remove two.bin' }).click()
    await page.getByText('“two.bin” removed').waitFor()
    await page.getByRole('link', { name: 'Download two.bin' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await page.getByRole('link', { name: 'Download two.bin' }).waitFor()

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete entity' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete “To be deleted”?' })
    await dialog.getByText('1 observable will be unlinked.').waitFor()
    await dialog.getByText('2 attachments will be kept without this entity.').waitFor()
    await shot('entity-delete')
    await assertAccessible(page, 'deleting an entity')
    await dialog.getByRole('button', { name: 'Delete entity' }).click()
    await page.getByText('“To be deleted” deleted').waitFor()
    assert.equal(new URL(page.url()).pathname, '/')
    await page.goto(`${site.url}/entities/${id}`)
    await page.getByText('Entity not found').waitFor()
    await shot('entity-gone')
    assertQuiet()
  },
)
