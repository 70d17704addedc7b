import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../until.ts'
import { assertAccessible, inBrowser, openSite } from './site.ts'
import { makeEntity, makeGroup } from './unified-steps.ts'

interface Listed {
  readonly data: readonly { readonly id: number; readonly name: string }[]
  readonly total_count: number
}

const PASSWORD = 'Quiet reeds at the water, 7 herons'
/** One more than a key may have. */
const SAME_TITLES = 51

let site: Awaited<ReturnType<typeof openSite>>
before(async () => {
  if (!inBrowser.skip) site = await openSite()
})
after(() => site?.stop())

const unifiedCount = async (): Promise<number> =>
  (await site.call<Listed>('GET', 'entities?filter[meta.is_unified_entity]=true&limit=1')).total_count

test(
  'a policy is previewed, joins existing entities, is changed, and is deleted after a preview of what that takes apart',
  inBrowser,
  async () => {
    const { source: open } = await makeGroup(site, 'Open feed')
    const { source: partner } = await makeGroup(site, 'Partner feed')
    await makeGroup(site, 'Joint desk')
    await makeEntity(site, open, { type: 'threat-actor', title: 'Heron Group', aliases: ['Grey Sail'] })
    await makeEntity(site, partner, { type: 'threat-actor', title: 'GREY SAIL', aliases: ['heron-group'] })
    await makeEntity(site, open, { type: 'malware', title: 'Reed Loader' })
    await makeEntity(site, partner, { type: 'malware', title: 'reed loader' })
    const placeholders = Array.from({ length: SAME_TITLES }, () => ({
      data: { type: 'tool', title: 'Sample of the week' },
      sources: [open],
    }))
    await site.call('PUT', 'entities', { data: placeholders })

    const { page, shot, assertQuiet } = await site.enter('/automation')
    const card = page.getByRole('region', { name: 'Consolidation policies' })
    await card.getByRole('link', { name: 'Open' }).click()
    await page.getByText('No consolidation policies yet').waitFor()
    await page.keyboard.press('n')
    const preview = page.getByRole('region', { name: 'Preview' })
    const groups = preview.getByRole('region', { name: 'Examples' })
    await groups
      .getByText('Names of each other', { exact: false })
      .or(groups.getByText('Known by each other’s names'))
      .first()
      .waitFor()
    await preview.getByText('2 unified entities').waitFor()
    await preview.getByText(`${SAME_TITLES} entities share this title`, { exact: false }).waitFor()
    await shot('consolidation-policy-preview')
    await assertAccessible(page, 'form of a consolidation policy')
    await page.getByRole('button', { name: 'Create policy' }).click()
    await page.getByText('Correct the highlighted fields.').waitFor()
    await page.getByRole('combobox', { name: 'Merge group' }).click()
    await page.getByRole('option', { name: 'Joint desk' }).click()
    await page.getByRole('button', { name: 'Add configuration' }).click()
    await preview.getByText('Choose entity types in every configuration.').waitFor()
    await page.getByRole('button', { name: 'Remove configuration 2' }).click()
    await page.keyboard.press('Control+s')
    await page.getByRole('heading', { level: 1, name: 'Consolidation into Joint desk' }).waitFor()
    await until(async () => (await unifiedCount()) === 2, 'the policy joined nothing')

    await page.getByRole('button', { name: 'Consolidate now' }).click()
    await page.getByRole('progressbar', { name: 'Progress' }).waitFor()
    await page
      .getByRole('status')
      .getByText(/Warning|Completed/)
      .first()
      .waitFor()
    await page.getByText('Last run', { exact: true }).waitFor()
    await shot('consolidation-policy')
    await assertAccessible(page, 'consolidation policy')

    await page.getByRole('tab', { name: 'Switched-off keys' }).click()
    await page.getByRole('row', { name: /sampleoftheweek Title/ }).waitFor()
    await shot('consolidation-switched-off')
    await assertAccessible(page, 'switched-off keys')

    await page.getByRole('tab', { name: 'History' }).click()
    const joined = page.getByRole('row', { name: /Heron Group.*Known by each other’s names/ })
    await joined.waitFor()
    assert.equal(await joined.getByRole('link').count(), 2)
    await page.getByText('By hand', { exact: true }).click()
    await page.getByText('No matching events').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await joined.waitFor()
    await shot('consolidation-history')
    await assertAccessible(page, 'history of a policy')

    await page.getByRole('tab', { name: 'Configurations' }).click()
    await page.getByRole('button', { name: 'Edit configuration' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'TLP' }).click()
    await page.getByRole('option', { name: 'Preferred source' }).click()
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await dialog.getByText('is required', { exact: false }).waitFor()
    await dialog.getByRole('combobox', { name: 'Preferred source' }).click()
    await page.getByRole('option', { name: 'Partner feed' }).click()
    await shot('consolidation-configuration')
    await assertAccessible(page, 'form of a configuration')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Each field comes from Partner feed if it has it', { exact: false }).waitFor()
    await shot('consolidation-configurations')

    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Actors and malware')
    await page.getByRole('combobox', { name: 'Entity types' }).focus()
    // Removes the last one.
    await page.keyboard.press('Backspace')
    await preview.getByText('2 unified entities').waitFor()
    await page.keyboard.press('Control+s')
    await page.getByRole('heading', { level: 1, name: 'Actors and malware' }).waitFor()
    assert.ok(await page.getByRole('switch', { name: 'Active' }).isChecked())
    await page.getByRole('tab', { name: 'Runs' }).click()
    await page.getByRole('link', { name: 'Details' }).first().waitFor()

    await page.getByRole('link', { name: 'Consolidation policies' }).first().click()
    const row = page.getByRole('row', { name: /Actors and malware/ })
    await row.getByText('Exploit target, Identity, Indicator and 5 more').waitFor()
    await row.getByText('Joint desk').waitFor()
    await shot('consolidation-policies')
    await assertAccessible(page, 'consolidation policies')
    await row.getByRole('link', { name: 'Actors and malware' }).click()
    await page.getByRole('button', { name: 'Delete…' }).click()
    await dialog.getByText('2 unified entities will be removed, which have 4 contributors.').waitFor()
    await dialog.getByText('Threat actor: 1').waitFor()
    await shot('consolidation-policy-delete')
    await assertAccessible(page, 'deleting a policy')
    await dialog.getByRole('button', { name: 'Delete policy' }).click()
    await page.getByText('No consolidation policies yet').waitFor()
    await until(async () => (await unifiedCount()) === 0, 'the unified entities were not removed')
    await page.goto(`${site.url}/consolidation-events`)
    await page
      .getByRole('row', { name: /Undone/ })
      .first()
      .waitFor()
    await shot('consolidation-events')
    await assertAccessible(page, 'history of consolidation')
    assertQuiet()
  },
)

test('users who may only read rules cannot change policies', inBrowser, async () => {
  const { data: groups } = await site.call<Listed>('GET', 'groups')
  const group = groups.find(({ name }) => name === 'Joint desk')?.id
  const policy = { name: 'Watched', is_active: true, merge_group: group }
  const made = await site.call<{ data: { id: number } }>('POST', 'consolidation-rules', { data: policy })
  const { data: permissions } = await site.call<Listed>('GET', 'permissions?limit=100')
  const ids = permissions.filter(({ name }) => name === 'read rules').map(({ id }) => id)
  const role = await site.call<{ data: { id: number } }>('POST', 'roles', { data: { name: 'Looks', permissions: ids } })
  const reader = { username: 'policy-reader', password: PASSWORD }
  await site.call('POST', 'users', { data: { ...reader, roles: [role.data.id] } })
  const { page, assertQuiet } = await site.enter('/consolidation-rules', { ...reader, colorScheme: 'dark' })
  await page.getByRole('link', { name: 'Watched' }).waitFor()
  await page.getByText('No configuration yet').waitFor()
  assert.ok(await page.getByRole('switch', { name: 'Active: Watched' }).isDisabled())
  assert.equal(await page.getByRole('button', { name: 'Create consolidation policy' }).count(), 0)
  await page.getByRole('link', { name: 'Watched' }).click()
  await page.getByText('No configurations yet').waitFor()
  for (const name of ['Consolidate now', 'Edit', 'Delete…', 'Add configuration'])
    assert.equal(await page.getByRole('button', { name }).count(), 0)
  assert.equal(await page.getByRole('tab', { name: 'History' }).count(), 0)
  await page.goto(`${site.url}/consolidation-rules/${made.data.id}/edit`)
  await page.getByText('This page requires the permission “modify rules”.', { exact: false }).waitFor()
  for (const path of ['consolidation-suggestions', 'consolidation-events']) {
    await page.goto(`${site.url}/${path}`)
    await page.getByText('This page requires the permission “read entities”.', { exact: false }).waitFor()
  }
  assertQuiet()
})
