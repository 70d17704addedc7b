import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { until } from '../until.ts'
import { assertAccessible, inBrowser, openSite } from './site.ts'

interface Listed<T> {
  readonly data: readonly T[]
}
interface Covered {
  readonly id: string
  readonly gap: number
  readonly share: number
}

let site: Awaited<ReturnType<typeof openSite>>
before(async () => {
  if (!inBrowser.skip) site = await openSite()
})
after(() => site?.stop())

test('defenses are built, created and found, and close gaps', inBrowser, async () => {
  for (const [title, attacks] of [
    ['Heron', ['TA0001:T1566.001', 'TA0002:T1204.002']],
    ['Egret', ['TA0001:T1566.001']],
  ] as const)
    await site.call('POST', 'entities', { data: { data: { type: 'threat-actor', title }, meta: { attacks } } })
  const { page, shot, assertQuiet } = await site.enter('/attack/gaps')
  const gaps = page.getByRole('table', { name: 'Gaps' })
  await gaps
    .getByRole('row', { name: /^1 T1566.001 Phishing: Spearphishing Attachment Initial Access 2 100%/ })
    .waitFor()
  await page.getByText('2 gaps from 2 entities').waitFor()
  await shot('gaps')
  await assertAccessible(page, 'gaps')
  const downloaded = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'CSV' }).click()
  const csv = await readFile(await (await downloaded).path(), 'utf8')
  assert.match(csv, /\r\n1,TA0001:T1566\.001,T1566\.001,Phishing: Spearphishing Attachment,Initial Access,2,1,0,1,/)

  await page.getByRole('link', { name: 'Defenses', exact: true }).click()
  await page.getByRole('searchbox', { name: 'Filter defenses' }).fill('m1049')
  await page.getByRole('combobox', { name: 'Status of M1049' }).selectOption('done')
  await page.getByText('1 of 108 mitigations · 1 done').waitFor()
  assert.equal(await page.getByRole('combobox', { name: 'Score of M1049' }).inputValue(), '4')
  await page.getByRole('button', { name: 'Edit status of M1049' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('3', { exact: true }).click()
  await dialog.getByRole('textbox', { name: 'Note' }).fill('All clients since spring.')
  await dialog.getByLabel('Review on').fill('2020-05-01')
  await dialog.getByRole('button', { name: 'Save status' }).click()
  await page.getByText('Review due').waitFor()
  await shot('defenses')
  await assertAccessible(page, 'defenses')
  const covered = async () =>
    (await site.call<Listed<Covered>>('GET', 'attacks/coverage')).data.find(({ id }) => id === 'TA0001:T1566.001')
  assert.equal((await covered())?.share, 0.75)

  await page.getByRole('button', { name: 'Create defense' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Block macros from the internet')
  await page.getByRole('combobox', { name: 'Techniques' }).fill('T1204.002')
  await page.getByRole('option', { name: 'T1204.002 User Execution: Malicious File' }).click()
  // The open list covers the button.
  await page.getByRole('textbox', { name: 'Name' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create defense' }).click()
  await page.getByRole('heading', { level: 1, name: 'Block macros from the internet' }).waitFor()
  await page.getByRole('table', { name: 'Mitigated techniques' }).getByText('User Execution: Malicious File').waitFor()
  await shot('defense')
  await page.getByRole('combobox', { name: 'Status of Block macros from the internet' }).selectOption('done')
  await until(
    async () => (await site.call<Listed<Covered>>('GET', 'attacks/coverage?kind=gap')).data.length === 1,
    'the gap was not closed',
  )
  await page.getByRole('link', { name: 'Gaps', exact: true }).click()
  await page.getByText('1 gap from 2 entities').waitFor()
  await gaps.getByText('25%').waitFor()
  await assertQuiet()
})

test('log sources are marked as collected, one by one, by name and in bulk', inBrowser, async () => {
  const { page, shot, assertQuiet } = await site.enter('/attack/log-sources')
  const collected = async () =>
    (
      await site.call<{ total_count: number }>(
        'GET',
        'attack-defenses/log-sources?filter[is_collected]=true&data=false',
      )
    ).total_count
  await page.getByText(/^281 log sources with 2,439 channels · 0 collected$/).waitFor()
  const search = page.getByRole('searchbox', { name: 'Filter log sources' })
  await search.fill('sysmon eventcode=11')
  await page
    .getByRole('switch', { name: 'Collected: WinEventLog:Sysmon EventCode=11', exact: true })
    .click({ force: true })
  await until(async () => (await collected()) === 1, 'the channel was not stored')
  await search.fill('wineventlog:security')
  await page
    .getByRole('switch', { name: 'Collected: all channels of WinEventLog:Security', exact: true })
    .click({ force: true })
  await until(async () => (await collected()) === 54, 'the channels of the name were not stored')
  await page.getByText('53 of 53').waitFor()
  await page.getByRole('checkbox', { name: 'Select all channels of WinEventLog:Security' }).check()
  await page.getByText('53 channels selected').waitFor()
  await shot('log-sources')
  await assertAccessible(page, 'log sources')
  await page.getByRole('button', { name: 'Mark as not collected' }).click()
  await until(async () => (await collected()) === 1, 'the selection was not stored')
  await page.getByText('What to collect next').click()
  const gains = page.getByRole('table', { name: 'What to collect next' })
  const first = gains.getByRole('button', { name: /^Mark as collected:/ }).first()
  const name = (await first.getAttribute('aria-label')) ?? ''
  await shot('gains')
  await first.click()
  await gains.getByRole('button', { name, exact: true }).waitFor({ state: 'detached' })
  assert.equal(await collected(), 2)
  await assertQuiet()
})
