import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../until.ts'
import { assertAccessible, assertNoBarrier, inBrowser, openSite } from './site.ts'

const PASSWORD = 'Correct horse 1!'
const PHISHING = 'TA0001:T1566'
const ATTACHMENT = 'TA0001:T1566.001'
const ENCRYPTED = 'TA0040:T1486'
const DEFACEMENT = 'TA0040:T1491.002'

interface Stored {
  readonly data: { readonly id: string; readonly meta: { readonly attacks: readonly string[] } }
}
interface Named {
  readonly data: readonly { readonly id: number; readonly name: string }[]
}

let site: Awaited<ReturnType<typeof openSite>>
let actor = ''
let report = ''
before(async () => {
  if (inBrowser.skip) return
  site = await openSite()
})
after(() => site?.stop())

const make = async (type: string, title: string, attacks: readonly string[] = []) =>
  (await site.call<Stored>('POST', 'entities', { data: { data: { type, title }, meta: { attacks } } })).data.id

const attacksOf = async (id: string) =>
  (await site.call<Stored>('GET', `entities/${id}`)).data.meta.attacks.map((url) =>
    decodeURIComponent(url.slice(url.lastIndexOf('/') + 1)),
  )

const cell = (page: Page, node: string) => page.locator(`[role=gridcell][data-node="${node}"]`)

test('without classified entities, the matrix says what to do', inBrowser, async () => {
  const { page, shot, assertQuiet } = await site.enter('/attack')
  await page.getByRole('grid', { name: 'Enterprise matrix' }).waitFor()
  await page.getByText('No entities in this scope').waitFor()
  assert.match(
    (await cell(page, PHISHING).getAttribute('aria-label')) ?? '',
    /^T1566 Phishing, no entities, 0% covered$/,
  )
  await shot('matrix-empty')
  await assertNoBarrier(page, 'empty matrix')
  assertQuiet()
})

test(
  'a report is classified by clicks and keys, a dead technique is replaced, and a click is undone',
  inBrowser,
  async () => {
    report = await make('report', 'Heron at the bank', ['TA0002:T1086'])
    const { page, shot, assertQuiet } = await site.enter(`/entities/${report}?tab=attack`)
    await page.getByRole('link', { name: 'Classify' }).click()
    await page.getByRole('heading', { name: 'Classify “Heron at the bank”' }).waitFor()
    await page.getByText('TA0002:T1086').waitFor()
    await page.getByRole('button', { name: 'Replace with TA0002:T1059.001' }).click()
    await page.getByText('TA0002:T1086 replaced with TA0002:T1059.001').waitFor()
    await page.getByText('Outside the matrix').waitFor({ state: 'detached' })
    await cell(page, PHISHING).click()
    await page.getByText('T1566 Phishing added').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await page.getByText('T1659 Content Injection added').waitFor()
    await until(async () => (await attacksOf(report)).includes('TA0001:T1659'), 'the technique is not stored')
    assert.deepEqual((await attacksOf(report)).toSorted(), [PHISHING, 'TA0001:T1659', 'TA0002:T1059.001'])
    assert.equal(await cell(page, PHISHING).getAttribute('aria-selected'), 'true')
    await shot('matrix-classify')
    await assertAccessible(page, 'classify')
    const toast = page.getByRole('alert').filter({ hasText: 'T1659 Content Injection added' })
    await toast.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone').waitFor()
    assert.deepEqual((await attacksOf(report)).toSorted(), [PHISHING, 'TA0002:T1059.001'])
    assertQuiet()
  },
)

test("an actor's page shows what it does through what it uses", inBrowser, async () => {
  actor = await make('threat-actor', 'Otter', [ENCRYPTED])
  const { data } = await site.call<Named>('GET', 'sources?filter[type]=group')
  for (const title of ['Ottercrypt', 'Otterload']) {
    const related = { source: actor, target: await make('malware', title, [ATTACHMENT]), key: 'uses' }
    await site.call('POST', 'relationships', { data: { data: related, sources: [data[0]?.id] } })
  }
  const { page, shot, assertQuiet } = await site.enter(`/entities/${actor}`, { colorScheme: 'dark' })
  await page.getByRole('tab', { name: 'ATT&CK (1)' }).click()
  await page.getByRole('grid', { name: 'Enterprise matrix' }).waitFor()
  assert.match((await cell(page, ENCRYPTED).getAttribute('aria-label')) ?? '', /1 entity/)
  assert.match((await cell(page, PHISHING).getAttribute('aria-label')) ?? '', /up to 2 in sub-techniques/)
  await shot('matrix-actor-dark')
  await assertAccessible(page, 'matrix of an actor, dark')
  await page.getByRole('searchbox', { name: 'Search techniques' }).fill('spearphishing attach')
  await cell(page, ATTACHMENT).click()
  const evidence = page.getByRole('complementary', { name: 'Technique' }).getByRole('region', { name: 'Entities' })
  await evidence.getByRole('link', { name: 'Ottercrypt' }).waitFor()
  assert.equal(await evidence.getByRole('link').count(), 2)
  await page.getByRole('checkbox', { name: 'Include related entities' }).uncheck()
  await page.locator(`[data-node="${ATTACHMENT}"][data-level="0"]`).waitFor()
  await evidence.getByText('No entity in this scope.').waitFor()
  assertQuiet()
})

test(
  'the matrix is searched, opened and walked through by keyboard, and its URL keeps all of it',
  inBrowser,
  async () => {
    const { page, shot, assertQuiet } = await site.enter('/attack')
    await page.getByRole('searchbox', { name: 'Search techniques' }).fill('spearphishing attach')
    await cell(page, ATTACHMENT).waitFor()
    await cell(page, ENCRYPTED).waitFor({ state: 'detached' })
    await page.getByRole('searchbox', { name: 'Search techniques' }).fill('')
    await cell(page, 'TA0043:T1595').focus()
    await page.keyboard.press('ArrowRight')
    assert.equal(await focused(page), 'TA0042:T1608')
    await page.keyboard.press('+')
    await cell(page, 'TA0042:T1608.001').waitFor()
    await cell(page, PHISHING).focus()
    await page.keyboard.press('Enter')
    const panel = page.getByRole('complementary', { name: 'Technique' })
    await panel.getByRole('link', { name: 'Heron at the bank' }).waitFor()
    await panel.getByRole('link', { name: /M1017/ }).waitFor()
    await panel.getByText('The description comes with the official bundle.').waitFor()
    await panel.getByText('not collected').first().waitFor()
    await shot('matrix-panel')
    await assertAccessible(page, 'matrix with a panel')
    await page.getByRole('switch', { name: 'Hide unused' }).check()
    await cell(page, 'TA0043:T1595').waitFor({ state: 'detached' })
    await page.reload()
    await panel.getByRole('link', { name: 'Heron at the bank' }).waitFor()
    assert.equal(await page.getByRole('switch', { name: 'Hide unused' }).isChecked(), true)
    assert.equal(await cell(page, 'TA0043:T1595').count(), 0)
    assertQuiet()
  },
)

test('a link to a technique opens it, scrolled into sight', inBrowser, async () => {
  const { page, assertQuiet } = await site.enter(`/attack?node=${DEFACEMENT}`)
  await page.getByRole('complementary', { name: 'Technique' }).getByText('External Defacement').waitFor()
  await until(() => isInSight(page, DEFACEMENT), 'the technique is out of sight')
  await page.locator(`[data-node="${DEFACEMENT.split('.')[0]}"] [data-fold]`).click()
  await cell(page, DEFACEMENT).waitFor({ state: 'detached' })
  assert.equal(await page.getByRole('complementary', { name: 'Technique' }).count(), 0)
  assertQuiet()
})

/** Whether a cell can be seen: the matrix scrolls by itself. */
const isInSight = (page: Page, node: string) =>
  page.evaluate<boolean>(`(() => {
    const cell = document.querySelector('[data-node="${node}"]')?.getBoundingClientRect()
    const at = cell && document.elementFromPoint(cell.x + cell.width / 2, cell.y + cell.height / 2)
    return at?.closest('[data-node]')?.dataset.node === '${node}'
  })()`)

const focused = (page: Page) => page.evaluate<string | undefined>('document.activeElement?.dataset.node')

test('all sub-techniques of the matrices of ATT&CK are drawn', inBrowser, async () => {
  const { page, assertQuiet } = await site.enter('/attack?expand=all')
  let cells = 0
  for (const [name, last] of [
    ['Enterprise', DEFACEMENT],
    ['Mobile', 'TA0034:T1616'],
    ['ICS', 'TA0105:T0882'],
  ] as const) {
    await page.getByText(name, { exact: true }).first().click()
    await page.getByRole('grid', { name: `${name} matrix` }).waitFor()
    await cell(page, last).waitFor({ state: 'attached' })
    cells += await page.getByRole('gridcell').count()
  }
  assert.ok(cells > 1_000, `only ${cells} cells`)
  assertQuiet()
})

test('a matrix is exported as CSV, SVG and PNG', inBrowser, async () => {
  const { page, assertQuiet } = await site.enter(`/attack?entities=${report}`)
  const save = async (item: string) => {
    await page.getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: item }).click(),
    ])
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
  }
  await page.getByRole('grid', { name: 'Enterprise matrix' }).waitFor()
  const csv = await save('CSV')
  assert.equal(csv.name, 'enterprise-attack-matrix.csv')
  assert.match(csv.bytes.toString(), /^TA0001,Initial Access,TA0001:T1566,T1566,Phishing,1,0,1,\r$/m)
  const svg = (await save('Image (SVG)')).bytes.toString()
  assert.match(svg, /^<svg .*Heron at the bank.*<\/svg>$/s)
  const png = await save('Image (PNG)')
  assert.equal(png.bytes.subarray(1, 4).toString(), 'PNG')
  assert.ok(png.bytes.readUInt32BE(16) > 2_000, 'the whole width')
  await page.getByRole('button', { name: 'Export' }).click()
  const layer = page.getByRole('menuitem', { name: 'Gap layer' })
  assert.match((await layer.getAttribute('href')) ?? '', /attacks\/layer\?.*kind=gap/)
  assertQuiet()
})

test('the matrix is played through the periods in which threats began', inBrowser, async () => {
  const meta = { estimated_threat_start_time: '2025-01-10T00:00:00Z', attacks: [ENCRYPTED] }
  await site.call('POST', 'entities', { data: { data: { type: 'campaign', title: 'Early heron' }, meta } })
  const { page, shot, assertQuiet } = await site.enter('/attack')
  const slider = page.getByRole('slider', { name: 'Threat start' })
  await slider.focus()
  await page.keyboard.press('ArrowRight')
  await page.getByText('2025-01', { exact: true }).waitFor()
  await page.locator(`[data-node="${PHISHING}"][data-level="0"]`).waitFor()
  assert.match((await cell(page, ENCRYPTED).getAttribute('aria-label')) ?? '', /1 entity/)
  assert.match(page.url(), /period=2025-01/)
  await shot('matrix-period')
  await assertAccessible(page, 'matrix of a period')
  await page.getByRole('button', { name: 'Play over time' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('2025-02', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  assertQuiet()
})

test('without the permission, the page says which one it needs', inBrowser, async () => {
  const { data } = await site.call<Named>('GET', 'permissions?limit=500')
  const permissions = data.filter(({ name }) => name === 'read attack').map(({ id }) => id)
  const role = await site.call<Stored>('POST', 'roles', { data: { name: 'Attack only', permissions } })
  await site.call('POST', 'users', {
    data: { username: 'narrow', password: PASSWORD, roles: [role.data.id], groups: [1] },
  })
  const { page, assertQuiet } = await site.enter('/attack', { username: 'narrow', password: PASSWORD })
  await page.getByText('“read entities”').waitFor()
  assert.equal(await page.getByRole('grid').count(), 0)
  assertQuiet()
})

test('a dashboard shows a small matrix', inBrowser, async () => {
  const dashboard = await site.call<{ data: { id: number } }>('POST', 'dashboards', { data: { name: 'Threats' } })
  const { page, shot, assertQuiet } = await site.enter(`/dashboards/${dashboard.data.id}`)
  await page.getByRole('button', { name: 'Add widget' }).first().click()
  const form = page.getByRole('dialog', { name: 'New widget' })
  await form.getByRole('textbox', { name: 'Name' }).fill('Techniques')
  await form.getByRole('combobox', { name: 'Type' }).click()
  await page.getByRole('option', { name: 'ATT&CK matrix' }).click()
  await form.getByRole('img', { name: /Enterprise matrix, \d+ techniques? used/ }).waitFor()
  await form.getByRole('button', { name: 'Add widget' }).click()
  const widget = page.getByRole('region', { name: 'Techniques' })
  await widget.getByRole('link', { name: /Enterprise matrix/ }).waitFor()
  await shot('matrix-widget')
  await assertAccessible(page, 'matrix in a dashboard')
  assertQuiet()
})
