import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, inBrowser, openSite } from './site.ts'

let site: Awaited<ReturnType<typeof openSite>>
const ids: Record<string, string> = {}
const PASSWORD = 'Correct horse 7 battery!'
const IVY = 'malware--11111111-2222-4333-8444-000000000001'
const HIDDEN = 'malware--11111111-2222-4333-8444-000000000002'
const REPORT = '{https://corvus.example/}report-11111111-2222-4333-8444-000000000003'

interface Made {
  readonly data: { readonly id: number }
}

/** An intrusion set, reports about it, a malicious name, and a user with less access. */
async function fill(): Promise<void> {
  const entity = (type: string, title: string, data: object = {}, tlp_color = 'GREEN') => ({
    data: { type, title, ...data },
    meta: { tlp_color },
  })
  const { data } = await site.call<{ data: { id: string; data: { title: string }; sources: string[] }[] }>(
    'PUT',
    'entities',
    {
      data: [
        entity('intrusion-set', 'APT1'),
        ...Array.from({ length: 8 }, (_, i) => entity('report', `Weekly ${i}`, { description: 'On apt1 and apt1.' })),
        { ...entity('indicator', 'hugesoft.org'), observables: [{ type: 'domain', value: 'hugesoft.org' }] },
        entity('malware', 'Poison Ivy', { id: IVY }),
        entity('malware', 'Hidden one', { id: HIDDEN }, 'RED'),
        entity('report', 'Comment Crew', { id: REPORT, object_refs: [IVY, HIDDEN] }),
      ],
    },
  )
  for (const each of data) ids[each.data.title] = each.id
  const role = await site.call<Made>('POST', 'roles', {
    data: { name: 'Looks', permissions: await permissionIds('read entities', 'read extracts') },
  })
  const user = { username: 'looker', password: PASSWORD, roles: [role.data.id] }
  const { data: made } = await site.call<Made>('POST', 'users', { data: user })
  const group = { name: 'Lookers', users: [made.id], sources: [`${data[0]?.sources[0]}?allowed_tlp=GREEN`] }
  await site.call('POST', 'groups', { data: group })
  const push = { name: 'Never ran', transport_type: 'eiq.incoming-transports.push' }
  await site.call('POST', 'incoming-feeds', { data: push })
}

async function permissionIds(...names: readonly string[]): Promise<number[]> {
  const { data } = await site.call<{ data: { id: number; name: string }[] }>('GET', 'permissions?limit=200')
  return data.filter(({ name }) => names.includes(name)).map(({ id }) => id)
}

before(async () => {
  if (inBrowser.skip) return
  site = await openSite()
  await fill()
})
after(() => site?.stop())

const box = (page: Page) => page.getByRole('combobox', { name: 'Query' })
const rows = (page: Page) => page.getByRole('grid', { name: 'Results' }).locator('tbody').getByRole('row')
const found = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true }).waitFor()

test('a defanged indicator is found as shown, and the best match comes first', inBrowser, async () => {
  const { page, shot, assertQuiet } = await site.enter('/')
  await found(page, '13 entities')
  await box(page).fill('hugesoft[.]org')
  await box(page).press('Enter')
  await found(page, '1 entity')
  assert.equal(await box(page).inputValue(), 'hugesoft.org')
  await rows(page).first().getByRole('link', { name: 'hugesoft[.]org', exact: true }).waitFor()
  await rows(page).first().getByText('Indicator').click()
  const look = page.getByRole('dialog', { name: 'Preview' })
  await look.getByText('hugesoft[.]org').first().waitFor()
  assert.equal(await page.getByText('hugesoft.org', { exact: true }).count(), 0)
  await shot('shown-quick-look')
  await page.keyboard.press('Escape')
  await box(page).fill('apt1')
  await box(page).press('Enter')
  await found(page, '9 entities')
  await rows(page).first().getByRole('link', { name: 'APT1', exact: true }).waitFor()
  assert.equal(await page.getByLabel('Sort').inputValue(), '-_score')
  await shot('shown-best-match')
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Search pages, entities and observables…').fill('hugesoft[.]org')
  await page.getByText('Search for “hugesoft[.]org”').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await found(page, '1 entity')
  await page.getByRole('checkbox', { name: 'Select row 1' }).click()
  const bar = page.getByRole('region', { name: 'Selected rows' })
  await bar.getByRole('button', { name: 'TLP', exact: true }).click()
  await page.getByRole('menuitem', { name: 'TLP:AMBER+STRICT' }).waitFor()
  await shot('shown-bulk-tlp')
  assertQuiet()
})

test('underscores are visible in the query input with every font', inBrowser, async () => {
  const { page, shot } = await site.enter('/')
  await found(page, '13 entities')
  const drawn = async (text: string) => {
    await box(page).fill(text)
    return (await box(page).screenshot()).toString('base64')
  }
  assert.notEqual(await drawn('created____at'), await drawn('created    at'))
  await box(page).fill('data.x_score:[1 TO 5] AND created_at:>now-7d')
  await shot('shown-underscores')
})

test(
  'the contents of a report are listed by name, its id is unchanged, and hidden objects are marked as such',
  inBrowser,
  async () => {
    const own = await site.enter(`/entities/${ids['Comment Crew']}`)
    await own.page.getByRole('link', { name: 'Poison Ivy' }).waitFor()
    await own.page.getByRole('link', { name: 'Hidden one' }).waitFor()
    await own.page.getByText(REPORT, { exact: true }).waitFor()
    await own.shot('shown-report')
    await assertAccessible(own.page, 'report with contents')
    own.assertQuiet()
    const other = await site.enter(`/entities/${ids['Comment Crew']}`, { username: 'looker', password: PASSWORD })
    await other.page.getByRole('link', { name: 'Poison Ivy' }).waitFor()
    await other.page.getByText('Malware: not visible or unknown').waitFor()
    await other.page.getByText('Unknown source').waitFor()
    await other.page.getByText('Another user').waitFor()
    await other.shot('shown-report-restricted')
    other.assertQuiet()
  },
)

test('malicious names are defanged in the graph, and a feed that never ran is marked as such', inBrowser, async () => {
  const { page, shot, assertQuiet } = await site.enter(`/graph?entities=${ids['hugesoft.org']}`)
  await page.getByRole('tab', { name: 'List' }).click()
  const nodes = page.getByRole('list', { name: 'Nodes' })
  await nodes.getByRole('button', { name: 'hugesoft[.]org' }).first().click()
  await page.getByRole('tab', { name: 'Details' }).click()
  await page.getByRole('heading', { name: 'hugesoft[.]org' }).waitFor()
  assert.equal(await page.getByText('hugesoft.org').count(), 0)
  await shot('shown-graph')
  await page.goto(`${site.url}/incoming-feeds`)
  await page.getByRole('row').filter({ hasText: 'Never ran' }).getByText('Not run yet').waitFor()
  await shot('shown-feeds')
  assertQuiet()
})

test(
  'a page that cannot be loaded shows an error inside the application, and loads once the server is back',
  inBrowser,
  async () => {
    const { page, shot } = await site.enter('/')
    await found(page, '13 entities')
    await page.evaluate('window.isSame = true')
    await page.route(/\/(?:assets|api)\//, (route) => route.abort())
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Tickets' }).click()
    await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor()
    await shot('shown-not-loaded')
    await assertAccessible(page, 'page that was not loaded')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('The server still does not respond.').waitFor()
    assert.equal(await page.evaluate('window.isSame'), true)
    await page.unroute(/\/(?:assets|api)\//)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Tickets' }).waitFor()
  },
)
