import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { assertAccessible, inBrowser, openSite } from './site.ts'

interface Layer {
  readonly name: string
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

const techniquesOf = ({ techniques }: Layer) =>
  techniques
    .filter(({ score = 0 }) => score > 0)
    .map(({ techniqueID, tactic }) => `${tactic} ${techniqueID}`)
    .toSorted()

test('a layer is imported, compared with an actor, and the gap is exported as a layer', inBrowser, async () => {
  await site.call('POST', 'entities', {
    data: {
      data: { type: 'threat-actor', title: 'Copper Heron' },
      meta: { attacks: ['TA0001:T1566.001', 'TA0002:T1204.002'] },
    },
  })
  const { page, shot, assertQuiet } = await site.enter('/attack/analyses')
  const download = async (item: string): Promise<Layer> => {
    await page.getByRole('button', { name: 'Export' }).click()
    const downloaded = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: item }).click()
    return JSON.parse(await readFile(await (await downloaded).path(), 'utf8'))
  }
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
  const layered = page.getByRole('grid', { name: 'Enterprise layer' }).locator('[data-node="TA0001:T1566"]')
  assert.match((await layered.getAttribute('aria-label')) ?? '', /up to 80 in sub-techniques/)
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
  const marked = (node: string, mark: string) => page.locator(`[data-node="${node}"][data-mark="${mark}"]`).waitFor()
  await marked('TA0001:T1566', 'both')
  await marked('TA0002:T1059', 'left')
  await marked('TA0002:T1204', 'right')
  await page.getByText('Only Copper Heron: 1').waitFor()
  await shot('layer-compared')
  const missing = await download('Layer of only Copper Heron')
  assert.deepEqual(techniquesOf(missing), ['execution T1204.002'])
  assert.equal(missing.name, 'Only Copper Heron')
  assert.deepEqual(techniquesOf(await download('Comparison layer')), [
    'execution T1059.001',
    'execution T1204.002',
    'initial-access T1566.001',
  ])

  await page.getByRole('link', { name: 'Gaps', exact: true }).click()
  await page.getByRole('table', { name: 'Gaps' }).getByText('User Execution: Malicious File').waitFor()
  const gaps = await download('Gap layer')
  assert.equal(gaps.domain, 'enterprise-attack')
  assert.deepEqual(techniquesOf(gaps), ['execution T1204.002', 'initial-access T1566.001'])
  assertQuiet()
})
