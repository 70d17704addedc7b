import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { assertAccessible, inBrowser, openSite } from './site.ts'

let site: Awaited<ReturnType<typeof openSite>>
before(async () => {
  if (inBrowser.skip) return
  site = await openSite()
  for (const [type, title] of [
    ['malware', 'Heron loader'],
    ['malware', 'Heron wiper'],
    ['threat-actor', 'Quiet Reeds'],
  ])
    await site.call('POST', 'entities', { data: { type, title }, meta: { tags: ['apt'] } })
})
after(() => site?.stop())

const make = async (path: string, data: object) =>
  (await site.call<{ data: { id: number } }>('POST', path, { data })).data

test(
  'a dynamic dataset is created: the count follows the query, and a syntax error is marked at its column',
  inBrowser,
  async () => {
    const { page, shot, assertQuiet } = await site.enter('/datasets')
    await page.getByRole('heading', { name: 'No datasets' }).waitFor()
    await assertAccessible(page, 'datasets without any')
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog', { name: 'New dataset' })
    await dialog.getByLabel('Name').fill('Herons')
    await dialog.getByText('Dynamic', { exact: true }).click()
    const query = dialog.getByRole('textbox', { name: 'Query' })
    await query.fill('type:malware AND (')
    await dialog.getByText(/^Column 1\d: /).waitFor()
    await shot('dataset-fault')
    await query.fill('type:malware')
    await dialog.getByText('2 matching entities').waitFor()
    await query.fill('type:malware AND wiper')
    await dialog.getByText('1 matching entity').waitFor()
    await shot('dataset-count')
    await assertAccessible(page, 'dataset form')
    await dialog.getByRole('button', { name: 'Create dataset' }).click()
    await page.getByRole('heading', { name: 'Herons' }).waitFor()
    await page
      .getByRole('table', { name: 'Entities in this dataset' })
      .getByRole('link', { name: 'Heron wiper' })
      .waitFor()
    await shot('dataset')
    await assertAccessible(page, 'dataset')
    assertQuiet()
  },
)

test('a static dataset is filled from a query, and removing entities can be undone', inBrowser, async () => {
  const { id } = await make('datasets', { name: 'Hand-picked', workspaces: [1] })
  const { page, shot, assertQuiet } = await site.enter(`/datasets/${id}`, { colorScheme: 'dark' })
  await page.getByRole('button', { name: 'Add from query' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Query' }).fill('tags:apt')
  await dialog.getByRole('button', { name: 'Update dataset' }).click()
  await dialog.getByText('Completed', { exact: true }).waitFor()
  await shot('dataset-filled')
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
  const table = page.getByRole('table', { name: 'Entities in this dataset' })
  await table.getByLabel('Select Quiet Reeds').check()
  await page.getByRole('button', { name: 'Remove from dataset' }).click()
  await table.getByRole('link', { name: 'Quiet Reeds' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await table.getByRole('link', { name: 'Quiet Reeds' }).waitFor()
  await assertAccessible(page, 'static dataset, dark')
  await page.goto(`${site.url}/datasets`)
  await page.getByRole('row').filter({ hasText: 'Hand-picked' }).getByText('Static').waitFor()
  await shot('datasets-dark')
  await assertAccessible(page, 'datasets, dark')
  assertQuiet()
})

test('a relational dataset is built step by step, with a live count', inBrowser, async () => {
  const { page, shot, assertQuiet } = await site.enter('/datasets')
  await page.getByRole('button', { name: 'Create dataset' }).click()
  const dialog = page.getByRole('dialog', { name: 'New dataset' })
  await dialog.getByLabel('Name').fill('What herons lead to')
  await dialog.getByText('Relational', { exact: true }).click()
  await dialog.getByLabel('Entities matching a query', { exact: true }).fill('type:malware')
  await dialog.getByRole('combobox', { name: 'Dataset contents' }).click()
  await page.getByRole('option', { name: 'Entities reached by any step, and the starting entities' }).click()
  await dialog.getByText('2 matching entities').waitFor()
  await dialog.getByRole('button', { name: 'Add step' }).click()
  await dialog.getByRole('group', { name: 'Step 2' }).waitFor()
  await shot('dataset-relational')
  await assertAccessible(page, 'relational dataset')
  await dialog.getByRole('button', { name: 'Remove step 2' }).click()
  await dialog.getByRole('switch', { name: 'Edit as JSON' }).check()
  assert.match(await dialog.getByLabel('Relational query').inputValue(), /"include": "all"/)
  await dialog.getByRole('button', { name: 'Create dataset' }).click()
  await page.getByRole('heading', { name: 'What herons lead to' }).waitFor()
  await page.getByText('2 entities').waitFor()
  assertQuiet()
})

test('a ticket is created, moved by keyboard and mouse, undone, and commented on', inBrowser, async () => {
  const { page, shot, assertQuiet } = await site.enter('/tickets')
  await page.getByRole('button', { name: 'Create ticket' }).waitFor()
  await page.keyboard.press('n')
  const dialog = page.getByRole('dialog', { name: 'New ticket' })
  await dialog.getByLabel('Name').fill('Block the heron servers')
  await dialog.getByLabel('Description').fill('Beacons to http://evil.example/x since Monday.')
  await dialog.getByRole('combobox', { name: 'Priority' }).click()
  await page.getByRole('option', { name: 'High' }).click()
  await dialog.getByLabel('Due (UTC)').fill('2025-01-31T12:00')
  await shot('ticket-form')
  await assertAccessible(page, 'ticket form')
  await dialog.getByRole('button', { name: 'Create ticket' }).click()
  await page.getByRole('heading', { name: 'Block the heron servers' }).waitFor()
  assert.equal(await page.getByText('hxxp://evil[.]example/x').count(), 1)
  await page.getByRole('link', { name: 'Tickets' }).click()
  const column = (name: string) => page.getByRole('region', { name })
  const card = (name: string) => column(name).getByRole('link', { name: 'Block the heron servers' })
  await card('Open').focus()
  await page.keyboard.press('Shift+ArrowRight')
  await card('In progress').waitFor()
  await page.keyboard.press('Shift+ArrowRight')
  await card('Pending').waitFor()
  await shot('tickets')
  await assertAccessible(page, 'board')
  await card('Pending').dragTo(column('Closed'))
  await card('Closed').waitFor()
  await page.getByText(/moved to closed/).waitFor()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await card('Pending').waitFor()
  await page.getByRole('button', { name: 'Move Block the heron servers' }).click()
  await page.getByRole('menuitem', { name: 'In progress' }).click()
  await card('In progress').click()
  await page.getByLabel('New comment').fill('Asked the <b>network</b> team.')
  await page.getByRole('button', { name: 'Add comment', exact: true }).click()
  await page.getByRole('article', { name: 'Comment by admin' }).getByText('Asked the <b>network</b> team.').waitFor()
  await page.getByLabel('Add entity').fill('reed')
  await page.getByRole('option', { name: /Quiet Reeds/ }).click()
  await page.getByRole('region', { name: 'Entities' }).getByRole('link', { name: 'Quiet Reeds' }).waitFor()
  await page.getByText('Status: Pending → In progress').waitFor()
  await shot('ticket')
  await assertAccessible(page, 'ticket')
  assertQuiet()
})

test('tickets are filtered by the address and shown as a list', inBrowser, async () => {
  await make('tickets', { name: 'Nobody’s work', status: 'OPEN' })
  const self = (await site.call<{ data: { id: number } }>('GET', 'users/self')).data
  await make('tickets', { name: 'My own work', status: 'CLOSED', assignee: self.id, priority: 'CRITICAL' })
  const { page, shot, assertQuiet } = await site.enter('/tickets?assignee=me', { colorScheme: 'dark' })
  await page.getByRole('link', { name: 'My own work' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Nobody’s work' }).count(), 0)
  await shot('tickets-dark')
  await assertAccessible(page, 'board, dark')
  await page.getByText('List', { exact: true }).click()
  await page.getByRole('row').filter({ hasText: 'My own work' }).getByText('Critical').waitFor()
  await page.getByRole('switch', { name: 'Assigned to me' }).uncheck()
  await page.getByRole('link', { name: 'Nobody’s work' }).waitFor()
  assert.match(page.url(), /\?view=list$/)
  assertQuiet()
})

test('a workspace is created, shows its contents, and is archived', inBrowser, async () => {
  const { page, shot, assertQuiet } = await site.enter('/workspaces')
  await page.getByRole('button', { name: 'Create workspace' }).click()
  const dialog = page.getByRole('dialog', { name: 'New workspace' })
  await dialog.getByRole('button', { name: 'Create workspace' }).click()
  await dialog.getByLabel('Name').fill('Herons in finance')
  await dialog.getByRole('button', { name: 'Create workspace' }).click()
  await page.getByRole('heading', { name: 'Herons in finance' }).waitFor()
  const id = Number(page.url().replace(/.*\//, ''))
  await make('tickets', { name: 'Ask the bank', workspaces: [id] })
  await make('datasets', { name: 'Of the bank', workspaces: [id], search_query: 'heron' })
  await page.reload()
  await page.getByRole('link', { name: 'Ask the bank' }).waitFor()
  await page.getByRole('region', { name: 'Datasets' }).getByText('Dynamic').waitFor()
  await page.getByLabel('New comment').fill('Begun.')
  await page.getByRole('button', { name: 'Add comment', exact: true }).click()
  await page.getByRole('article', { name: 'Comment by admin' }).waitFor()
  await shot('workspace')
  await assertAccessible(page, 'workspace')
  await page.getByRole('button', { name: 'Archive' }).click()
  await page.getByRole('button', { name: 'Reopen' }).waitFor()
  await page.goto(`${site.url}/workspaces`)
  await page.getByRole('article').first().waitFor()
  assert.equal(await page.getByRole('link', { name: 'Herons in finance' }).count(), 0)
  await page.getByText('Archived', { exact: true }).click()
  await page.getByRole('link', { name: 'Herons in finance' }).waitFor()
  await page.emulateMedia({ colorScheme: 'dark' })
  await shot('workspaces-dark')
  await assertAccessible(page, 'workspaces, dark')
  assertQuiet()
})

test('a run is followed live and stopped', inBrowser, async () => {
  const silent = createServer(() => {})
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const feed = await make('incoming-feeds', {
    name: 'Slow river',
    transport_type: 'http-download',
    transport_configuration: { url: `http://127.0.0.1:${port}/` },
  })
  const started = await site.call<{ data: { task_run: string } }>('POST', `incoming-feeds/${feed.id}/run`)
  const { page, shot, assertQuiet } = await site.enter('/runs?view=open')
  const row = page.getByRole('row').filter({ hasText: 'Running' })
  await row.waitFor()
  await shot('runs')
  await assertAccessible(page, 'runs')
  await row.getByRole('link').click()
  await page.getByRole('button', { name: 'Stop run' }).click()
  await page.getByText('Stopped', { exact: true }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Stop run' }).count(), 0)
  await shot('run')
  await assertAccessible(page, 'run')
  const id = started.data.task_run.replace(/.*\//, '')
  assert.equal((await site.call<{ data: { state: string } }>('GET', `tasks/runs/${id}`)).data.state, 'REVOKED')
  assertQuiet()
  silent.closeAllConnections()
  silent.close()
})

test('a reader sees no button without the permission for it, on a narrow screen too', inBrowser, async () => {
  const wanted = ['read tickets', 'read workspaces', 'read intel-sets']
  const { data } = await site.call<{ data: { id: number; name: string }[] }>('GET', 'permissions?limit=100')
  const permissions = data.filter(({ name }) => wanted.includes(name)).map(({ id }) => id)
  const role = await make('roles', { name: 'Reader', permissions })
  const account = { username: 'reader', password: 'Quiet reeds at the water, 7 herons' }
  await make('users', { ...account, roles: [role.id] })
  await make('tickets', { name: 'For everybody to see' })
  const { page, shot, assertQuiet } = await site.enter('/tickets', {
    ...account,
    viewport: { width: 400, height: 800 },
  })
  await page.getByRole('link', { name: 'For everybody to see' }).click()
  await page.getByRole('heading', { name: 'For everybody to see' }).waitFor()
  await page.getByText('No description').waitFor()
  await shot('ticket-narrow')
  assert.equal(await page.getByRole('main').getByRole('button').count(), 0)
  for (const path of ['tickets', 'datasets', 'workspaces', 'workspaces/1']) {
    await page.goto(`${site.url}/${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    assert.equal(await page.getByRole('button', { name: /^(Create|Edit|Delete)/ }).count(), 0, path)
    assert.ok(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'), path)
  }
  await shot('workspace-narrow')
  await page.goto(`${site.url}/runs`)
  await page.getByText('This page requires the permission “read tasks”.').waitFor()
  await assertAccessible(page, 'runs without the permission')
  assertQuiet()
})
