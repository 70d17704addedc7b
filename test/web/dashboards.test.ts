import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, inBrowser, openSite } from './site.ts'

const PASSWORD = 'Correct horse 1!'

let site: Awaited<ReturnType<typeof openSite>>
before(async () => {
  if (inBrowser.skip) return
  site = await openSite()
  const titles = ['indicator', 'indicator', 'report', 'malware', 'indicator']
  const data = titles.map((type, i) => ({ data: { type, title: `${type} ${i}` }, meta: { tags: ['seen'] } }))
  await site.call('PUT', 'entities', { data })
})
after(() => site?.stop())

interface Stored {
  readonly data: { readonly id: number; readonly widgets: string[]; readonly ui_metadata: { readonly layout: object } }
}

async function addWidget(page: Page, name: string, shows: string): Promise<void> {
  await page.getByRole('button', { name: 'Add widget' }).first().click()
  const form = page.getByRole('dialog', { name: 'New widget' })
  await form.getByRole('textbox', { name: 'Name' }).fill(name)
  await form.getByRole('combobox', { name: 'Type' }).click()
  await page.getByRole('option', { name: shows, exact: true }).click()
  await form.getByRole('textbox', { name: 'Query' }).fill('tags:seen')
}

test(
  'a dashboard is created, filled with previewed widgets, and keeps its layout after moves by keyboard and mouse',
  inBrowser,
  async () => {
    const { page, shot, assertQuiet } = await site.enter('/dashboards')
    await page.getByText('No dashboards yet').waitFor()
    await shot('dashboards-empty')
    await assertAccessible(page, 'no dashboards')
    await page.getByRole('button', { name: 'Create dashboard' }).first().click()
    await page.getByRole('textbox', { name: 'Name' }).fill('This week')
    await page.keyboard.press('Enter')
    await page.getByText('This dashboard is empty').waitFor()
    await addWidget(page, 'How many', 'Number')
    await page.getByRole('dialog').getByText('5', { exact: true }).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Add widget' }).click()
    await addWidget(page, 'By type', 'Bar chart')
    await page
      .getByRole('dialog')
      .getByRole('img', { name: /Bar chart of 3 values.*indicator 3/i })
      .waitFor()
    await shot('widget-form')
    await assertAccessible(page, 'widget form')
    await page.getByRole('dialog').getByRole('button', { name: 'Add widget' }).click()
    await page
      .getByRole('region', { name: 'By type' })
      .getByRole('img', { name: /Bar chart/ })
      .waitFor()
    await page.getByRole('button', { name: 'Edit layout' }).click()
    await page.getByRole('button', { name: 'Move How many' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.getByText('How many: column 2, row 1').waitFor({ state: 'attached' })
    const handle = page.getByRole('button', { name: 'Resize By type' })
    const box = await handle.boundingBox()
    assert.ok(box)
    await page.mouse.move(box.x + 5, box.y + 5)
    await page.mouse.down()
    await page.mouse.move(box.x + 130, box.y + 110, { steps: 5 })
    await shot('dashboard-arranged')
    await page.mouse.up()
    await assertAccessible(page, 'dashboard, arranged')
    await page.getByRole('button', { name: 'Finish layout' }).click()
    const id = new URL(page.url()).pathname.split('/').at(-1)
    const { data } = await site.call<Stored>('GET', `dashboards/${id}`)
    const [first = '', second = ''] = data.widgets.map((url) => url.split('/').at(-1) ?? '')
    const layout = data.ui_metadata.layout as Record<string, { x: number; w: number; h: number }>
    assert.equal(layout[first]?.x, 1)
    assert.ok((layout[second]?.w ?? 0) > 4 && (layout[second]?.h ?? 0) > 6, JSON.stringify(layout))
    assertQuiet()
  },
)

test(
  'a deleted widget is restored by undo, and a query with a syntax error is rejected at its field',
  inBrowser,
  async () => {
    const widget = await site.call<Stored>('POST', 'widgets', {
      data: { name: 'Latest', type: 'list', query: 'tags:seen' },
    })
    const made = await site.call<Stored>('POST', 'dashboards', { data: { name: 'Lists', widgets: [widget.data.id] } })
    const { page, shot, assertQuiet } = await site.enter(`/dashboards/${made.data.id}`, { colorScheme: 'dark' })
    await page.getByRole('link', { name: 'malware 3' }).waitFor()
    await shot('dashboard-dark')
    await assertAccessible(page, 'dashboard, dark')
    await page.getByRole('button', { name: 'Actions for Latest' }).click()
    await page.getByRole('menuitem', { name: 'Edit widget' }).click()
    await page.getByRole('textbox', { name: 'Query' }).fill('tags:(')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('textbox', { name: 'Query', description: /column/ }).waitFor()
    await shot('widget-fault-dark')
    assert.equal(await page.getByRole('textbox', { name: 'Query' }).inputValue(), 'tags:(')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Actions for Latest' }).click()
    await page.getByRole('menuitem', { name: 'Delete widget' }).click()
    await page.getByText('This dashboard is empty').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'malware 3' }).waitFor()
    assertQuiet()
  },
)

test('a reader sees shared dashboards without edit controls, and no private ones', inBrowser, async () => {
  await site.call('POST', 'dashboards', { data: { name: 'For all', is_shared_with_all: true } })
  const role = await site.call<Stored>('POST', 'roles', {
    data: { name: 'Reader', permissions: await permissions(['read configurations', 'read entities']) },
  })
  await site.call('POST', 'users', {
    data: { username: 'reader', password: PASSWORD, roles: [role.data.id], groups: [1] },
  })
  const { page, assertQuiet } = await site.enter('/dashboards', { username: 'reader', password: PASSWORD })
  await page.getByRole('link', { name: 'For all' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Lists' }).count(), 0)
  assert.equal(await page.getByRole('button', { name: 'Create dashboard' }).count(), 0)
  await page.getByRole('link', { name: 'For all' }).click()
  await page.getByText('This dashboard is empty').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Add widget' }).count(), 0)
  assertQuiet()
})

async function permissions(names: readonly string[]): Promise<number[]> {
  const { data } = await site.call<{ data: { id: number; name: string }[] }>('GET', 'permissions?limit=500')
  return data.filter(({ name }) => names.includes(name)).map(({ id }) => id)
}
