import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertAccessible, inBrowser, openSite } from './site.ts'

let site: Awaited<ReturnType<typeof openSite>>
before(async () => {
  if (!inBrowser.skip) site = await openSite()
})
after(() => site?.stop())

test(
  'a token is made with a name and an end, shown once, used with fetch, and refused once it is revoked',
  inBrowser,
  async () => {
    const { page, context, shot, assertQuiet } = await site.enter('/profile')
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByText('No API tokens yet').waitFor()
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Splunk')
    await shot('token-form')
    await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click()
    const token = (await page.getByLabel('Token', { exact: true }).textContent()) ?? ''
    await shot('token-shown')
    await assertAccessible(page, 'token')
    await page.getByRole('button', { name: 'Copy' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), token)
    await page.getByRole('button', { name: 'Done' }).click()
    const call = () => fetch(`${site.url}/api/v2/users/self`, { headers: { authorization: `Bearer ${token}` } })
    const { data } = (await (await call()).json()) as { data: { username: string } }
    assert.equal(data.username, 'admin')
    await page.reload()
    await page.getByRole('row', { name: /Splunk/ }).waitFor()
    assert.equal(await page.getByText(token).count(), 0)
    await page.getByRole('button', { name: 'Revoke Splunk' }).click()
    await page.getByText('This cannot be undone').waitFor()
    await page.getByRole('button', { name: 'Revoke token', exact: true }).click()
    await page.getByText('No API tokens yet').waitFor()
    assert.equal((await call()).status, 401)
    assertQuiet()
  },
)

test('somebody tells of themselves, and a refusal stands at its field', inBrowser, async () => {
  const { page, assertQuiet } = await site.enter('/profile')
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('Language').fill('klingonese tongue')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('is no language tag').waitFor()
  assert.equal(await page.getByLabel('First name').inputValue(), 'Ada')
  await page.getByLabel('Language').fill('nl')
  await page.getByRole('combobox', { name: 'Time zone' }).fill('Amsterdam')
  await page.getByRole('option', { name: 'Europe/Amsterdam' }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('heading', { level: 1, name: 'Ada' }).waitFor()
  const { data } = await site.call<{ data: Record<string, string> }>('GET', 'users/self')
  assert.deepEqual([data.locale, data.timezone], ['nl', 'Europe/Amsterdam'])
  assertQuiet()
})

test('the profile has a theme and a clock of its own, and is read with ease in both themes', inBrowser, async () => {
  await site.call('PATCH', 'users/self', { data: { timezone: 'Asia/Kolkata' } })
  const { page, shot, assertQuiet } = await site.enter('/profile')
  await page.getByRole('button', { name: 'Create token' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Kept')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Done' }).click()
  const made = page.getByRole('row', { name: /Kept/ }).locator('time').first()
  const at = new Date((await made.getAttribute('datetime')) ?? '')
  const shown = (timeZone: string) =>
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(at)
  assert.equal(await made.textContent(), shown('UTC'))
  assert.match((await made.getAttribute('title')) ?? '', new RegExp(`${shown('Asia/Kolkata')} Asia/Kolkata`))
  await assertAccessible(page, 'profile')
  await shot('profile')
  await page.getByText('Asia/Kolkata', { exact: true }).last().click()
  await page.getByText('Dark', { exact: true }).click()
  assert.equal(await made.textContent(), shown('Asia/Kolkata'))
  await page.reload()
  await made.waitFor()
  assert.equal(await made.textContent(), shown('Asia/Kolkata'))
  await assertAccessible(page, 'profile, dark')
  await shot('profile-dark')
  assertQuiet()
})
