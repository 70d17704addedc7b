import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { choose, expand, settled, stageOf } from './graph-steps.ts'
import { assertAccessible, inBrowser, openSite } from './site.ts'
import { makeEntity, makeGroup, makePolicy, unifiedOf } from './unified-steps.ts'

let site: Awaited<ReturnType<typeof openSite>>
let contributors: readonly string[]
let unified: string

const actor = (description: string, aliases: readonly string[], more: object = {}) => ({
  type: 'intrusion-set',
  title: 'Grey Heron',
  description,
  aliases,
  ...more,
})

const rated = (source_reliability: string, tags: readonly string[]) => ({
  meta: { source_reliability, tags },
  observables: [{ type: 'domain', value: `${tags[0]}.example` }],
})

before(async () => {
  if (inBrowser.skip) return
  site = await openSite()
  const groups = [
    await makeGroup(site, 'First vendor'),
    await makeGroup(site, 'Second vendor'),
    await makeGroup(site, 'Third vendor'),
    await makeGroup(site, 'Merge group'),
  ]
  const [first = '', second = '', third = ''] = groups.map(({ source }) => source)
  await makePolicy(site, groups[3]?.group ?? 0, ['intrusion-set'])
  contributors = [
    await makeEntity(
      site,
      first,
      actor('A group that attacks banks in three countries since 2019.', ['Egret'], { goals: ['money'] }),
      rated('B', ['apt']),
    ),
    await makeEntity(
      site,
      second,
      actor('A group that attacks banks and insurers in five countries since 2018.', ['Egret', 'Bittern']),
      rated('A', ['banking']),
    ),
    await makeEntity(site, third, actor('Seen in emails.', ['Night heron']), rated('D', ['mail'])),
  ]
  const tool = await makeEntity(site, first, { type: 'tool', title: 'Heron loader' })
  for (const source of contributors.slice(0, 2))
    await site.call('POST', 'relationships', {
      data: { data: { source, target: tool, key: 'uses' }, sources: [first] },
    })
  unified = await unifiedOf(site, contributors[2] ?? '')
})
after(() => site?.stop())

test(
  'a unified entity shows its contributors, where its values come from, and their relationships',
  inBrowser,
  async () => {
    const { page, shot, assertQuiet } = await site.enter(`/entities/${unified}`)
    await page.getByText('Unified · 3', { exact: true }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Edit', exact: true }).count(), 0)
    await page
      .getByRole('button', { name: /^From Second vendor/ })
      .first()
      .waitFor()
    await shot('consolidation-unified')
    await assertAccessible(page, 'unified entity')

    await page.getByRole('link', { name: 'Change its contributors' }).click()
    const table = page.getByRole('table', { name: 'Contributors' })
    await table.getByRole('row', { name: /Third vendor/ }).waitFor()
    assert.equal(await table.getByText(/^Same title/).count(), 3)
    const fields = page.getByRole('table', { name: 'Fields' })
    await fields.getByText('A group that attacks banks and insurers').waitFor()
    await fields.getByRole('button', { name: '2 other values of Description' }).click()
    await fields.getByText('Seen in emails.').waitFor()
    await shot('consolidation-contributors')
    await assertAccessible(page, 'contributors')

    await page.getByRole('tab', { name: 'Relationships' }).click()
    const uses = page.getByRole('region', { name: 'Uses', exact: true })
    await uses.getByRole('link', { name: 'Heron loader' }).first().waitFor()
    assert.equal(await uses.getByRole('link', { name: /^Via contributor Grey Heron of First vendor/ }).count(), 1)
    assert.equal(await page.getByRole('button', { name: 'Add relationship' }).count(), 0)
    await shot('consolidation-relationships')
    assertQuiet()
  },
)

test('contributors are compared side by side with their unified entity', inBrowser, async () => {
  const { page, shot, assertQuiet } = await site.enter(`/entities/${unified}?tab=contributors`, {
    colorScheme: 'dark',
    viewport: { width: 1440, height: 900 },
  })
  await page.getByRole('link', { name: 'Compare side by side' }).click()
  const table = page.getByRole('region', { name: 'Comparison' })
  await table.getByRole('row', { name: /^Description/ }).waitFor()
  await table.getByRole('columnheader').nth(4).waitFor()
  assert.equal(await table.getByRole('columnheader').count(), 5)
  await shot('consolidation-compare')
  await page.getByRole('switch', { name: 'Hide equal fields' }).click()
  await table.getByRole('row', { name: /^Title/ }).waitFor({ state: 'detached' })
  await assertAccessible(page, 'comparison')
  assertQuiet()
})

test('a graph collapses contributors into their unified entity, and shows them again', inBrowser, async () => {
  const { page, shot, assertQuiet } = await site.enter(`/graph?entities=${unified}&consolidation=unified`)
  const collapse = page.getByRole('switch', { name: 'Collapse contributors' })
  await settled(page, 1)
  await choose(page, 'Grey Heron')
  await expand(page, 'uses → tools')
  await settled(page, 2)
  await page.getByText('2 nodes and 1 edge').waitFor()
  await page.getByRole('region', { name: 'Legend' }).getByText('Unified entity').waitFor()
  await shot('consolidation-graph-collapsed')
  await choose(page, 'Grey Heron')
  await page.getByRole('button', { name: 'Show contributors' }).click()
  await settled(page, 5)
  await page.getByText('5 nodes and 5 edges').waitFor()
  assert.equal(await collapse.isChecked(), false)
  await shot('consolidation-graph')
  await assertAccessible(page, 'graph of a unified entity')

  await collapse.click()
  await settled(page, 2)
  await page.waitForURL(/consolidation=unified/)
  await stageOf(page).focus()
  await page.keyboard.press('Control+z')
  await settled(page, 5)
  assert.equal(await collapse.isChecked(), false)
  assertQuiet()
})

test('a contributor leads to its unified entity, which is taken apart', inBrowser, async () => {
  const { page, shot, assertQuiet } = await site.enter(`/entities/${contributors[2]}`)
  await page.getByText('Contributes to').waitFor()
  await page.getByRole('tab', { name: 'Contributors' }).click()
  await page.getByText('This entity', { exact: true }).waitFor()
  await shot('consolidation-contributor')
  await page.getByRole('button', { name: /of Third vendor from this unified entity/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Intrusion set: 1 contributor').waitFor()
  await shot('consolidation-remove')
  await dialog.getByRole('button', { name: 'Remove from unified entity' }).click()
  await page.getByText('Exempt from consolidation').waitFor()
  await shot('consolidation-exempt')

  await page.goto(`${site.url}/entities/${unified}`)
  await page.getByText('Unified · 2', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Take apart…' }).click()
  await dialog.getByText('Intrusion set: 2 contributors').waitFor()
  await shot('consolidation-take-apart')
  await dialog.getByRole('button', { name: 'Take apart' }).click()
  await page.waitForURL((url) => contributors.some((id) => url.pathname.endsWith(id)))
  const { total_count } = await site.call<{ total_count: number }>('GET', `entities?filter[id]=${unified}`)
  assert.equal(total_count, 0)
  assertQuiet()
})
