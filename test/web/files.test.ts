import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertAccessible, inBrowser, openSite } from './site.ts'

let site: Awaited<ReturnType<typeof openSite>>
before(async () => {
  if (!inBrowser.skip) site = await openSite()
})
after(() => site?.stop())

const uuid = (number: number) => `11111111-2222-4333-8444-${String(number).padStart(12, '0')}`

const stix = (type: string, number: number, rest: Record<string, unknown>) => ({
  type,
  id: `${type}--${uuid(number)}`,
  spec_version: '2.1',
  created: '2026-01-01T00:00:00.000Z',
  modified: '2026-01-01T00:00:00.000Z',
  ...rest,
})

const bundle = (...objects: object[]) =>
  Buffer.from(JSON.stringify({ type: 'bundle', id: `bundle--${uuid(0)}`, objects }))

const heron = stix('malware', 1, { name: 'Heron loader', is_family: true })
const reeds = stix('threat-actor', 2, { name: 'Quiet Reeds' })
const uses = stix('relationship', 3, { relationship_type: 'uses', source_ref: reeds.id, target_ref: heron.id })

const json = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/json', buffer })

test('a STIX file is uploaded with a TLP colour and a tag, and its entities are listed', inBrowser, async () => {
  const { page, shot, assertQuiet } = await site.enter('/files')
  await page.getByRole('heading', { name: 'No files yet' }).waitFor()
  await shot('files-empty')
  await assertAccessible(page, 'files without any')
  await page.getByRole('button', { name: 'Upload files' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Upload files' })
  const choosing = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'Select files' }).click()
  await (await choosing).setFiles([json('heron.json', bundle(heron, reeds, uses)), json('notes.zip', Buffer.from('x'))])
  await dialog.getByText('STIX 2, MISP or platform JSON').waitFor()
  await dialog.getByLabel('Archive password').waitFor()
  await dialog.getByRole('button', { name: 'Remove notes.zip' }).click()
  await dialog.getByRole('combobox', { name: 'TLP' }).click()
  await page.getByRole('option', { name: 'TLP:AMBER', exact: true }).click()
  await dialog.getByRole('combobox', { name: 'Tags' }).fill('from-a-file')
  await page.keyboard.press('Enter')
  await shot('files-upload')
  await assertAccessible(page, 'upload dialog')
  await dialog.getByRole('button', { name: 'Upload file', exact: true }).click()
  const row = page.getByRole('row').filter({ hasText: 'heron.json' })
  await row.getByText('Completed', { exact: true }).waitFor()
  await shot('files')
  await assertAccessible(page, 'files')
  await row.getByRole('link', { name: 'heron.json' }).click()
  await page.getByRole('heading', { name: 'heron.json' }).waitFor()
  const entities = page.getByRole('table', { name: 'Entities in the file' })
  await entities.getByRole('link', { name: 'Quiet Reeds' }).waitFor()
  await entities.getByText('from-a-file').first().waitFor()
  assert.equal(await entities.getByText('TLP:AMBER').count(), 2)
  await shot('file')
  await assertAccessible(page, 'file')
  await entities.getByRole('link', { name: 'Heron loader' }).click()
  await page.waitForURL(/\/entities\//)
  assertQuiet()
})

test('a file with losses shows what was lost and why, in the dark theme too', inBrowser, async () => {
  const broken = stix('relationship', 9, { relationship_type: 'uses' })
  const file = { name: 'half.json', data: bundle(heron, broken).toString('base64') }
  const { id } = (await site.call<{ data: { id: number } }>('POST', 'files', file)).data
  const { page, shot, assertQuiet } = await site.enter(`/files/${id}`, { colorScheme: 'dark' })
  await page.getByText('Completed with warnings').waitFor()
  const report = page.getByRole('table', { name: 'Loss report' })
  await report
    .getByText('lost', { exact: true })
    .or(report.getByText('refused', { exact: true }))
    .first()
    .waitFor()
  await report.getByText(/source_ref/).waitFor()
  await shot('file-losses')
  await assertAccessible(page, 'file with losses, dark')
  await page.getByRole('tab', { name: 'All objects' }).click()
  await page.getByRole('table', { name: 'Objects in the file' }).waitFor()
  assert.match(page.url(), /tab=objects/)
  await page.getByRole('button', { name: 'Reprocess' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Process file', exact: true }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByText('Completed with warnings').waitFor()
  await page.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/entities that come from this file only/).check()
  await dialog.getByRole('button', { name: 'Delete file' }).click()
  await page.getByText('“half.json” deleted').waitFor()
  await page.getByRole('row').filter({ hasText: 'half.json' }).waitFor({ state: 'detached' })
  await shot('files-dark')
  await assertAccessible(page, 'files, dark')
  assertQuiet()
})

test(
  'files are dropped onto the page, and one that is too large is rejected before the upload',
  inBrowser,
  async () => {
    const { page, shot, assertQuiet } = await site.enter('/profile')
    await page.route('**/api/v2/files/limits', (route) => route.fulfill({ json: { data: { largest_file: 40 } } }))
    await page.getByRole('link', { name: 'Files' }).click()
    await page.getByRole('heading', { name: 'Files', level: 1 }).waitFor()
    const dropped = await page.evaluateHandle(`(() => {
    const held = new DataTransfer()
    held.items.add(new File(['Seen at login.bank.example.'], 'small.txt'))
    held.items.add(new File(['x'.repeat(100)], 'large.txt'))
    return held
  })()`)
    await page.dispatchEvent('#main', 'dragover', { dataTransfer: dropped })
    await page.getByRole('heading', { name: 'Drop files to upload them' }).waitFor()
    await page.dispatchEvent('#main', 'drop', { dataTransfer: dropped })
    const dialog = page.getByRole('dialog', { name: 'Upload files' })
    await dialog.getByText('large.txt exceeds the maximum size of 40 B.').waitFor()
    await shot('files-too-large')
    const send = dialog.getByRole('button', { name: /^Upload/ })
    assert.equal(await send.isDisabled(), true)
    await dialog.getByRole('button', { name: 'Remove large.txt' }).click()
    await send.click()
    await page.getByRole('region', { name: 'Uploads' }).getByRole('link', { name: 'small.txt' }).waitFor()
    await page.getByRole('row').filter({ hasText: 'small.txt' }).getByText('Completed', { exact: true }).waitFor()
    assertQuiet()
  },
)
