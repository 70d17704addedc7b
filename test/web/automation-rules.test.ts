import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../until.ts'
import { assertAccessible, inBrowser, openSite } from './site.ts'

interface Stored {
  readonly data: {
    readonly id: string
    readonly meta: { readonly tags: readonly string[]; readonly tlp_color: string | null }
  }
}
interface Named {
  readonly data: readonly { readonly id: number; readonly name: string }[]
}

const PASSWORD = 'Quiet reeds at the water, 7 herons'

let site: Awaited<ReturnType<typeof openSite>>
before(async () => {
  if (!inBrowser.skip) site = await openSite()
})
after(() => site?.stop())

const report = (title: string, tlp_color = 'GREEN') =>
  site.call<Stored>('POST', 'entities', { data: { data: { type: 'report', title }, meta: { tlp_color } } })

test(
  'an entity rule is previewed, acts on existing and new entities, shows what it changed, and is undone',
  inBrowser,
  async () => {
    const known = await report('Heron loader seen again')
    await report('Calm waters')
    const { page, shot, assertQuiet } = await site.enter('/entity-rules')
    await page.getByText('No entity rules yet').waitFor()
    await page.getByRole('button', { name: 'Create entity rule' }).first().click()
    await page.getByText('Choose an action to see what the rule would change.').waitFor()
    await page.getByRole('button', { name: 'Create rule' }).click()
    await page.getByText('Correct the highlighted fields.').waitFor()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Raise loaders')
    await page.getByText('Query', { exact: true }).click()
    await page.getByRole('textbox', { name: 'Query' }).fill('data.title:(loader')
    await page.getByText(/^Column \d+:/).waitFor()
    await page.getByRole('textbox', { name: 'Query' }).fill('data.title:loader')
    await page.getByRole('checkbox', { name: 'Add tags and taxonomies' }).check()
    await page.getByText('Enter the tags to add.').waitFor()
    await page.getByRole('combobox', { name: 'Tags' }).fill('partner')
    await page.keyboard.press('Enter')
    await page.getByRole('checkbox', { name: 'Set TLP' }).check()
    await page.getByRole('combobox', { name: 'TLP colour' }).click()
    await page.getByRole('option', { name: 'TLP:AMBER', exact: true }).click()
    const preview = page.getByRole('region', { name: 'Preview' })
    await preview.getByText('1 entity matches').waitFor()
    await preview.getByText('Heron loader seen again').waitFor()
    await preview.getByText('TLP changed from TLP:GREEN to TLP:AMBER').waitFor({ state: 'attached' })
    await shot('entity-rule-preview')
    await assertAccessible(page, 'form of an entity rule')
    await page.getByRole('button', { name: 'Create rule' }).click()
    await page.getByRole('heading', { level: 1, name: 'Raise loaders' }).waitFor()
    await shot('entity-rule')
    await assertAccessible(page, 'entity rule')

    const made = await report('A new loader')
    const { data: stored } = await site.call<Stored>('GET', `entities/${made.data.id}`)
    assert.deepEqual([stored.meta.tlp_color, stored.meta.tags], ['AMBER', ['partner']])
    await page.getByRole('tab', { name: 'History' }).click()
    await page
      .getByRole('row', { name: /A new loader/ })
      .getByText('When stored')
      .waitFor()
    await page.getByRole('button', { name: 'Run now' }).click()
    await page.getByRole('status').getByText('Completed').first().waitFor()
    await page
      .getByRole('row', { name: /Heron loader seen again/ })
      .getByText('By a run')
      .waitFor()
    await shot('entity-rule-history')
    await assertAccessible(page, 'history of an entity rule')

    await page.goto(`${site.url}/entities/${known.data.id}?tab=history`)
    const changes = page.getByRole('table', { name: 'Changed by rules' })
    await changes.getByText('Tag added: partner').waitFor({ state: 'attached' })
    await shot('entity-changed-by-rules')
    await assertAccessible(page, 'history of an entity that a rule changed')
    await changes.getByRole('link', { name: 'Raise loaders' }).click()

    await page.getByRole('tab', { name: 'Runs' }).click()
    await page.getByRole('link', { name: 'Changes' }).first().click()
    await page.getByRole('button', { name: 'Undo this run…' }).click()
    await page
      .getByRole('dialog')
      .getByText(/will be undone/)
      .waitFor()
    await shot('entity-rule-undo')
    await assertAccessible(page, 'undo of a run')
    await page.getByRole('button', { name: 'Undo changes' }).click()
    await page.getByRole('dialog').getByText('Completed').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await page
      .getByRole('row', { name: /Heron loader seen again/ })
      .getByText('Undone')
      .waitFor()
    const { data: restored } = await site.call<Stored>('GET', `entities/${known.data.id}`)
    assert.deepEqual([restored.meta.tlp_color, restored.meta.tags], ['GREEN', []])
    const { data: kept } = await site.call<Stored>('GET', `entities/${made.data.id}`)
    assert.deepEqual([kept.meta.tlp_color, kept.meta.tags], ['AMBER', ['partner']])

    await page.getByRole('link', { name: 'Entity rules' }).first().click()
    await page.getByText('Set TLP:AMBER', { exact: false }).waitFor()
    await shot('entity-rules')
    await assertAccessible(page, 'entity rules')
    await page.getByRole('checkbox', { name: 'Select Raise loaders' }).check()
    await page.getByRole('button', { name: 'Deactivate' }).click()
    await page
      .getByRole('row', { name: /Raise loaders/ })
      .getByText('Inactive')
      .waitFor()
    assertQuiet()
  },
)

test('a discovery rule is previewed, and tells of new entities within seconds', inBrowser, async () => {
  await report('Egret on the bank')
  const { page, shot, assertQuiet } = await site.enter('/discovery-rules', { colorScheme: 'dark' })
  await page.getByText('No discovery rules yet').waitFor()
  await page.keyboard.press('n')
  await page.getByText('Enter keywords, a query, entity types or sources').waitFor()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Egrets')
  await page.getByRole('combobox', { name: 'Keywords' }).fill('egret')
  await page.keyboard.press('Enter')
  const preview = page.getByRole('region', { name: 'Preview' })
  await preview.getByText('1 matching entity').waitFor()
  await preview.getByRole('link', { name: 'Egret on the bank' }).waitFor()
  await shot('discovery-rule-form')
  await assertAccessible(page, 'form of a discovery rule')
  await page.keyboard.press('Control+s')
  await page.getByRole('heading', { level: 1, name: 'Egrets' }).waitFor()
  await page.getByRole('link', { name: 'Egret on the bank' }).waitFor()
  await report('An egret at dawn')
  await until(
    async () => (await site.call<{ data: unknown[] }>('GET', 'discovery-rules/hits')).data.length === 1,
    'the entity was not found',
  )
  await page.goto(`${site.url}/automation`)
  const hits = page.getByRole('region', { name: 'Latest hits' })
  await hits.getByRole('link', { name: 'An egret at dawn' }).waitFor()
  await shot('automation-overview')
  await assertAccessible(page, 'overview of automation, dark')
  await page.getByRole('button', { name: 'Notifications' }).click()
  const bell = page.getByRole('dialog', { name: 'Notifications' })
  await bell.getByRole('link', { name: 'Egrets' }).click()
  await page.getByRole('link', { name: 'An egret at dawn' }).waitFor()
  await page.getByRole('tab', { name: 'Runs' }).click()
  await page.getByText(/1 found/).waitFor()
  await shot('discovery-rule-runs')
  assertQuiet()
})

test('users who may only read rules cannot change them', inBrowser, async () => {
  const rule = { name: 'Storks', is_active: true, keywords: ['stork'] }
  const made = await site.call<{ data: { id: number } }>('POST', 'discovery-rules', { data: rule })
  const { data: permissions } = await site.call<Named>('GET', 'permissions?limit=100')
  const ids = permissions.filter(({ name }) => name === 'read discovery-rules').map(({ id }) => id)
  const role = await site.call<{ data: { id: number } }>('POST', 'roles', { data: { name: 'Looks', permissions: ids } })
  const reader = { username: 'reader', password: PASSWORD }
  await site.call('POST', 'users', { data: { ...reader, roles: [role.data.id] } })
  const { page, shot, assertQuiet } = await site.enter('/discovery-rules', reader)
  await page.getByRole('link', { name: 'Storks' }).waitFor()
  assert.ok(await page.getByRole('switch', { name: 'Active: Storks' }).isDisabled())
  assert.equal(await page.getByRole('button', { name: 'Create discovery rule' }).count(), 0)
  assert.equal(await page.getByRole('checkbox').count(), 0)
  await page.getByRole('link', { name: 'Storks' }).click()
  await page.getByRole('heading', { level: 1, name: 'Storks' }).waitFor()
  for (const name of ['Run now', 'Edit', 'Delete']) assert.equal(await page.getByRole('button', { name }).count(), 0)
  await shot('discovery-rule-read-only')
  await page.goto(`${site.url}/discovery-rules/${made.data.id}/edit`)
  await page.getByText('This page requires the permission “modify discovery-rules”.', { exact: false }).waitFor()
  await page.goto(`${site.url}/entity-rules`)
  await page.getByText('This page requires the permission “read rules”.', { exact: false }).waitFor()
  assertQuiet()
})
