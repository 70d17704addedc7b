import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page as Browsed } from 'playwright-core'
import { assertAccessible, inBrowser, openSite, type Visit } from './site.ts'

interface Made {
  readonly data: { readonly id: number; readonly source: string; readonly permissions: string[] }
}
interface Named {
  readonly data: readonly { readonly id: number; readonly name: string }[]
}

let site: Awaited<ReturnType<typeof openSite>>
/** Windows of the administrator, in both themes. */
let light: Visit
let dark: Visit
before(async () => {
  if (inBrowser.skip) return
  site = await openSite()
  const { data: permissions } = await site.call<Named>('GET', 'permissions?limit=100')
  const held = ['read entities', 'read extracts', 'read tickets', 'modify tickets', 'read sources']
  const ids = permissions.filter(({ name }) => held.includes(name)).map(({ id }) => id)
  await site.call('POST', 'roles', { data: { name: 'Night shift', permissions: ids } })
  const self = await site.call<{ data: { id: number } }>('GET', 'users/self')
  const desk = await site.call<Made>('POST', 'groups', { data: { name: 'Finance desk', users: [self.data.id] } })
  const entity = (title: string, rest: object) =>
    site.call('POST', 'entities', { data: { data: { type: 'report', title }, ...rest } })
  await entity('Heron over the bay', { sources: [desk.data.source] })
  await entity('Heron that hides', {})
  light = await site.enter('/admin')
  dark = await site.enter('/admin', { colorScheme: 'dark' })
})
after(() => site?.stop())

/** Navigates within the application without reloading it. */
const goTo = (page: Browsed, path: string) => page.evaluate(`window.history.pushState(null, '', '${path}')`)

const saved = (page: Browsed, text = 'Changes saved') => page.getByRole('alert').filter({ hasText: text }).waitFor()

async function choose(page: Browsed, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option }).click()
}

test('a new user chooses a password at first sign-in, and sees only what they have access to', inBrowser, async () => {
  const { page, shot, assertQuiet } = light
  await goTo(page, '/admin')
  await page.getByRole('region', { name: 'Users and permissions' }).getByRole('link', { name: 'Users' }).waitFor()
  await page.getByText(/PostgreSQL \d+/).waitFor()
  await shot('admin-overview')
  await assertAccessible(page, 'administration')
  await goTo(page, '/admin/users/new')
  await page.getByRole('button', { name: 'Create user' }).click()
  await page.getByText('must have at least 1 character').waitFor()
  await page.getByRole('textbox', { name: 'Username' }).fill('ada')
  await choose(page, 'Add to roles', 'Night shift')
  await choose(page, 'Add to groups', 'Finance desk')
  await shot('admin-new-user')
  await assertAccessible(page, 'new user, with a refusal')
  await page.getByRole('button', { name: 'Create user' }).click()
  const password = (await page.getByLabel('Password', { exact: true }).textContent()) ?? ''
  await shot('admin-new-user-made')
  await page.getByRole('link', { name: 'Show all users' }).click()
  await page.getByRole('row', { name: /ada.*Night shift.*Finance desk/ }).waitFor()
  await shot('admin-users')
  await assertAccessible(page, 'users')
  assertQuiet()

  const theirs = await site.visit('/admin/entities')
  await theirs.page.getByLabel('Username').fill('ada')
  await theirs.page.getByRole('textbox', { name: 'Password' }).fill(password)
  await theirs.page.keyboard.press('Enter')
  await theirs.page.getByRole('heading', { name: 'Choose a password' }).waitFor()
  await theirs.page.getByRole('textbox', { name: 'Current password' }).fill(password)
  for (const label of ['New password', 'Confirm new password'])
    await theirs.page.getByRole('textbox', { name: label, exact: true }).fill('Correct horse 7!')
  await theirs.page.keyboard.press('Enter')
  await theirs.page.getByRole('link', { name: 'Heron over the bay' }).waitFor()
  await theirs.shot('admin-seen-by-a-user')
  assert.equal(await theirs.page.getByText('Heron that hides').count(), 0)
  assert.equal(await theirs.page.getByRole('link', { name: 'Create entity' }).count(), 0)
  const navigation = theirs.page.getByRole('navigation', { name: 'Pages' })
  assert.deepEqual(
    await Promise.all(
      ['Search', 'Tickets', 'Workspaces', 'Administration'].map((name) =>
        navigation.getByRole('link', { name }).count(),
      ),
    ),
    [1, 1, 0, 0],
  )
  await goTo(theirs.page, '/admin/tickets')
  await theirs.page.getByRole('link', { name: 'Create ticket' }).first().waitFor()
  await goTo(theirs.page, '/admin/users')
  await theirs.page.getByText('This page requires the permission “read users”').waitFor()
  theirs.assertQuiet()
})

test('an administrator locks a user, shows a link to reset the password, and undoes the lock', inBrowser, async () => {
  const { data } = await site.call<Made>('POST', 'users', { data: { username: 'grace', email: 'grace@corvus.test' } })
  const { page, shot, assertQuiet } = dark
  await goTo(page, `/admin/users/${data.id}`)
  await page.getByRole('button', { name: 'Lock' }).click()
  await page.getByText('Locked', { exact: true }).first().waitFor()
  await shot('admin-user-dark')
  await assertAccessible(page, 'user, dark')
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await page.getByRole('button', { name: 'Lock' }).waitFor()
  await page.getByRole('button', { name: 'Reset password' }).click()
  await page.getByRole('button', { name: 'Show link' }).click()
  await page.getByLabel('Link').filter({ hasText: /reset/ }).waitFor()
  await page.keyboard.press('Escape')
  assertQuiet()
})

test(
  'the system status shows how far followers of the change log are behind, and why one fails',
  inBrowser,
  async () => {
    // Claimed, so that the application's own worker cannot succeed in the meantime.
    await site.pool.query(`
      update followers set failures = 3, last_error = 'The mail template is missing.', failed_at = now(),
        claim = gen_random_uuid(), claimed_until = now() + interval '1 hour'
      where name = 'notifications'`)
    const playbook = {
      name: 'Morning',
      is_active: true,
      trigger: { type: 'manual', collection: 'entities' },
      steps: [{ id: 'tag', kind: 'tag', added: ['new'] }],
    }
    await site.call('POST', 'playbooks', { data: playbook })
    const { page, shot, assertQuiet } = await site.enter('/admin')
    const row = page.getByRole('row', { name: /^Notifications/ })
    await row.getByText('3 failed attempts').waitFor()
    await row.getByText('The mail template is missing.').waitFor()
    await page.getByRole('row', { name: /^Discovery rules Up to date/ }).waitFor()
    await page.getByRole('row', { name: 'Playbook: Morning Active 0 0 – 0' }).waitFor()
    await shot('followers')
    await assertAccessible(page, 'followers')
    await site.pool.query(`update followers set claimed_until = now() where name = 'notifications'`)
    assertQuiet()
  },
)

test('roles are changed in the matrix with the keyboard, and saved together', inBrowser, async () => {
  const { page, shot, assertQuiet } = light
  await goTo(page, '/admin/roles')
  await page.getByRole('checkbox', { name: 'Night shift: read tickets' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Space')
  await page.getByRole('checkbox', { name: 'Threat Analyst: read audit-trail' }).click()
  const changes = page.getByRole('region', { name: 'Changes' })
  await changes.getByText('revoke modify tickets').waitFor()
  await changes.getByText('grant read audit-trail').waitFor()
  await shot('admin-roles')
  await assertAccessible(page, 'roles')
  await changes.getByRole('button', { name: 'Save changes' }).click()
  await saved(page, '2 roles saved')
  const { data } = await site.call<{ data: Made['data'][] }>('GET', 'roles?filter[name]=Night%20shift')
  assert.equal(data[0]?.permissions.length, 4)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await saved(page, 'Undone')
  const again = await site.call<{ data: Made['data'][] }>('GET', 'roles?filter[name]=Night%20shift')
  assert.equal(again.data[0]?.permissions.length, 5)
  assertQuiet()
})

test('a rejected setting shows its error at the field and keeps the input', inBrowser, async () => {
  const { page, shot, assertQuiet } = dark
  await goTo(page, '/admin/configuration/account-policy')
  const length = page.getByRole('textbox', { name: 'Password min length' })
  await length.fill('5')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('must be at least 8').waitFor()
  assert.equal(await length.inputValue(), '5')
  assert.equal(await length.getAttribute('aria-invalid'), 'true')
  await shot('admin-setting-refused')
  await assertAccessible(page, 'configuration, refused, dark')
  await length.fill('12')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await saved(page)
  const { data } = await site.call<{ data: { password_min_length: number } }>('GET', 'configurations/account-policy')
  assert.equal(data.password_min_length, 12)
  assertQuiet()
})

test('a new webhook shows its secret once, and a test delivery shows its result', inBrowser, async () => {
  const { page, shot, assertQuiet } = light
  await goTo(page, '/admin/webhooks')
  await page.getByRole('link', { name: 'Create webhook' }).first().click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Siren')
  await page.getByRole('textbox', { name: 'URL' }).fill('http://127.0.0.1:9/hook')
  await page.getByRole('button', { name: 'Create webhook' }).click()
  const secret = await page.getByLabel('New secret').textContent()
  assert.ok((secret ?? '').length >= 16)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Siren' }).waitFor()
  assert.equal(await page.getByText(secret ?? '').count(), 0)
  await page.getByRole('button', { name: 'Test' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Test' }).click()
  await page.getByRole('dialog').getByText('Delivered').waitFor()
  await shot('admin-webhook-tested')
  assertQuiet()
})

test('lists are created, rejected at a nested field, filtered and deleted together', inBrowser, async () => {
  await site.call('POST', 'exclusion-lists', { data: { name: 'Old partners', entries: ['partner.example'] } })
  const { page, shot, assertQuiet } = light
  await goTo(page, '/admin/exclusion-lists/new')
  await page.getByRole('textbox', { name: 'Name' }).fill('Own networks')
  await page.getByRole('combobox', { name: 'Entries' }).fill('198.51.100.0/24')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: 'Create exclusion list' }).click()
  await page.getByRole('heading', { name: 'Own networks' }).waitFor()
  await page.getByText('198.51.100.0/24').waitFor()
  await page.getByRole('tab', { name: 'History' }).click()
  await page.getByRole('cell', { name: 'admin' }).waitFor()
  await goTo(page, '/admin/exclusion-lists')
  for (const name of ['Own networks', 'Old partners'])
    await page.getByRole('checkbox', { name: `Select ${name}` }).click()
  await page.getByRole('button', { name: 'Delete 2' }).click()
  await shot('admin-delete-several')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('link', { name: 'Own networks' }).waitFor({ state: 'detached' })

  await goTo(page, '/admin/tasks')
  await page.getByRole('link', { name: 'Housekeeping' }).click()
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'Cron' }).fill('every morning')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Correct the highlighted fields.').waitFor()
  assert.equal(await page.getByRole('textbox', { name: 'Cron' }).getAttribute('aria-invalid'), 'true')
  await page.getByRole('textbox', { name: 'Cron' }).fill('15 4 * * *')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await saved(page)
  await page.getByText('15 4 * * *').waitFor()
  await shot('admin-task')
  assertQuiet()
})

test('taxonomies are added, moved and undone in their tree', inBrowser, async () => {
  await site.call('POST', 'taxonomies', { data: { path: ['Sector', 'Finance', 'Banks'] } })
  await site.call('POST', 'taxonomies', { data: { path: ['Region'] } })
  const { page, shot, assertQuiet } = dark
  await goTo(page, '/admin/taxonomies')
  await page.getByRole('button', { name: 'Children of Sector' }).click()
  await page.getByRole('button', { name: 'Move: Finance' }).click()
  await choose(page, 'Parent', 'Region')
  await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click()
  await page.getByRole('button', { name: 'Children of Region' }).click()
  await page.getByRole('link', { name: 'Finance' }).waitFor()
  await shot('admin-taxonomies-dark')
  await assertAccessible(page, 'taxonomies, dark')
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await page.getByRole('button', { name: 'Children of Sector' }).waitFor()
  assertQuiet()
})
