import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { assertAccessible, inBrowser, openSite } from './site.ts'

interface Layer {
  readonly domain: string
  readonly techniques: readonly { readonly techniqueID: string; readonly tactic?: string; readonly score?: number }[]
}

let site: Awaited<ReturnType<typeof openSite>>
before(async () => {
  if (!inBrowser.skip) site = await openSite()
})
after(() => site?.stop())

/** What a team says it detects: one of the techniques was revoked long ago, and one never existed. */
const DETECTIONS = {
  name: 'Our detections',
  versions: { attack: '8', navigator: '4.5', layer: '4.5' },
  domain: 'enterprise-attack',
  techniques: [
    { techniqueID: 'T1566.001', tactic: 'initial-access', score: 80, comment: 'Attachments are opened in a sandbox.' },
    { techniqueID: 'T1086', score: 40 },
    { techniqueID: 'T9999', score: 10 },
  ],
}

test('a layer is imported, compared with an actor, and the gap is exported as a layer', inBrowser, async () => {
  await site.call('POST', 'entities', {
    data: {
      data: { type: 'threat-actor', title: 'Copper Heron' },
      meta: { attacks: ['TA0001:T1566.001', 'TA0002:T1204.002'] },
    },
  })
  const { page, shot, assertQuiet } = await site.enter('/attack/analyses')
  await page.getByRole('button', { name: 'Import layer' }).click()
  await page.locator('input[type=file]').setInputFiles({
    name: 'layer.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(DETECTIONS)),
  })
  const dialog = page.getByRole('dialog')
  await dialog.getByText('1 technique was revoked and mapped to successors').waitFor()
  await dialog.getByText('1 technique is unknown in this version; the layer keeps them').waitFor()
  await shot('layer-imported')
  await assertAccessible(page, 'imported layer')
  await dialog.getByRole('link', { name: 'Our detections' }).click()
  await page.getByRole('heading', { level: 1, name: 'Our detections' }).waitFor()
  await page.getByRole('tab', { name: 'Annotations' }).click()
  await page
    .getByRole('table', { name: 'Annotations' })
    .getByRole('row', { name: /Spearphishing Attachment Initial Access Attachments are opened in a sandbox\./ })
    .waitFor()

  await page.getByRole('button', { name: 'Compare' }).click()
  await page.getByRole('textbox', { name: 'Search by title' }).fill('copper')
  await page.getByRole('option', { name: /Copper Heron/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Compare' }).click()
  await page.waitForURL(/\/attack\?.*vs=entities/)
  await page.getByRole('grid').waitFor()
  await shot('layer-compared')

  await page.getByRole('link', { name: 'Gaps', exact: true }).click()
  await page.getByRole('table', { name: 'Gaps' }).getByText('User Execution: Malicious File').waitFor()
  await page.getByRole('button', { name: 'Export' }).click()
  const downloaded = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Gap layer' }).click()
  const layer: Layer = JSON.parse(await readFile(await (await downloaded).path(), 'utf8'))
  assert.equal(layer.domain, 'enterprise-attack')
  const scored = layer.techniques.filter(({ score = 0 }) => score > 0)
  assert.deepEqual(scored.map(({ techniqueID, tactic }) => `${tactic} ${techniqueID}`).toSorted(), [
    'execution T1204.002',
    'initial-access T1566.001',
  ])
  await assertQuiet()
})
