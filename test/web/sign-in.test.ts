import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { adminPassword } from '../database.ts'
import { assertAccessible, inBrowser, openSite } from './site.ts'

const PASSWORD = 'Correct horse 1!'

let site: Awaited<ReturnType<typeof openSite>>
before(async () => {
  if (!inBrowser.skip) site = await openSite()
})
after(() => site?.stop())

async function signIn(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password)
  await page.keyboard.press('Enter')
}

const pages = (page: Page) => page.getByRole('navigation', { name: 'Pages' })

test(
  'the root path serves the page to every client, other paths only to clients that accept HTML',
  inBrowser,
  async () => {
    const typeOf = async (path: string, accept: string) =>
      (await fetch(`${site.url}${path}`, { headers: { accept } })).headers.get('content-type')
    assert.match((await typeOf('/', '*/*')) ?? '', /^text\/html/)
    assert.match((await typeOf('/?q=x', 'application/json')) ?? '', /^text\/html/)
    assert.match((await typeOf('/entities/new', 'text/html,*/*')) ?? '', /^text\/html/)
    assert.match((await typeOf('/entities/new', '*/*')) ?? '', /^application\/json/)
    assert.match((await typeOf('/api/v2/nothing', 'text/html')) ?? '', /^application\/json/)
  },
)

test(
  'a wrong password is rejected without losing the username, and the right one opens the requested page',
  inBrowser,
  async () => {
    const { page, shot, assertQuiet } = await site.visit('/profile')
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    await shot('sign-in')
    await assertAccessible(page, 'sign-in')
    await signIn(page, 'admin', 'wrong')
    await page.getByRole('alert').getByText('is wrong').waitFor()
    await shot('sign-in-refused')
    await assertAccessible(page, 'sign-in refused')
    assert.equal(await page.getByLabel('Username').inputValue(), 'admin')
    await signIn(page, 'admin', adminPassword)
    await page.getByRole('heading', { name: 'API tokens' }).waitFor()
    assert.equal(new URL(page.url()).pathname, '/profile')
    await page.getByRole('button', { name: 'admin' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    assertQuiet()
  },
)

test('the first sign-in requires a new password, and shows validation errors at the field', inBrowser, async () => {
  await site.call('POST', 'users', { data: { username: 'newcomer', password: PASSWORD } })
  await site.pool.query(`update users set must_change_password = true where username = 'newcomer'`)
  const { page, shot, assertQuiet } = await site.visit('/', { colorScheme: 'dark' })
  await signIn(page, 'newcomer', PASSWORD)
  await page.getByRole('heading', { name: 'Choose a password' }).waitFor()
  await page.getByLabel('Current password').fill(PASSWORD)
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill('weak')
  await page.getByLabel('Confirm new password').fill('weaker')
  await page.keyboard.press('Enter')
  await page.getByText('does not match the new password').waitFor()
  await page.getByLabel('Confirm new password').fill('weak')
  await page.keyboard.press('Enter')
  await page
    .getByText(/must have at least|characters/)
    .first()
    .waitFor()
  await shot('first-sign-in-dark')
  await assertAccessible(page, 'first sign-in')
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill('Battery staple 2!')
  await page.getByLabel('Confirm new password').fill('Battery staple 2!')
  await page.keyboard.press('Enter')
  await pages(page).waitFor()
  assertQuiet()
})

test(
  'two-factor authentication is set up with an app and then required; a recovery code works once',
  inBrowser,
  async () => {
    await site.call('POST', 'users', { data: { username: 'careful', password: PASSWORD } })
    const { page, shot, assertQuiet } = await site.enter('/profile', { username: 'careful', password: PASSWORD })
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.getByRole('button', { name: 'Start setup' }).click()
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    const secret = (await page.getByLabel('Secret').textContent()) ?? ''
    const totp = new TOTP({ secret: Secret.fromBase32(secret.trim()) })
    await page.getByLabel('Code from the app').fill('000000')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByText(/code/i).last().waitFor()
    await shot('second-factor-set-up')
    await assertAccessible(page, 'second factor')
    await page.getByLabel('Code from the app').fill(totp.generate())
    await page.keyboard.press('Enter')
    const codes = ((await page.getByLabel('Recovery codes').textContent()) ?? '').split(/\s+/)
    await shot('recovery-codes')
    await page.getByRole('button', { name: 'I have stored the codes' }).click()
    await page.getByText('On', { exact: true }).waitFor()
    assertQuiet()

    const again = await site.visit('/profile')
    await signIn(again.page, 'careful', PASSWORD)
    await again.page
      .getByRole('textbox', { name: 'Code', exact: true })
      .fill(totp.generate({ timestamp: Date.now() + 30_000 }))
    await again.shot('second-factor-asked')
    await again.page.keyboard.press('Enter')
    await pages(again.page).waitFor()

    for (const isGood of [true, false]) {
      const { page: last } = await site.visit('/profile')
      await signIn(last, 'careful', PASSWORD)
      await last.getByRole('textbox', { name: 'Code', exact: true }).fill(codes[0] ?? '')
      await last.keyboard.press('Enter')
      await (isGood ? pages(last) : last.getByRole('alert')).waitFor()
    }
  },
)

test('after a session expires, input and loaded data are still there after signing in again', inBrowser, async () => {
  await site.call('POST', 'users', { data: { username: 'typing', password: PASSWORD } })
  const { page, shot, assertQuiet } = await site.enter('/profile', { username: 'typing', password: PASSWORD })
  await page.getByLabel('First name').fill('Half a sen')
  await page.getByText('No API tokens yet').waitFor()
  await site.pool.query(`delete from sessions where user_id = (select id from users where username = 'typing')`)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('heading', { name: 'Your session has expired' }).waitFor()
  await shot('session-ended')
  await assertAccessible(page, 'session ended')
  // Cached data must be shown without being requested again: from here on these requests fail.
  await page.route('**/api/v2/users/self/tokens', (route) => route.abort())
  await signIn(page, 'typing', PASSWORD)
  await page.getByRole('heading', { name: 'Your session has expired' }).waitFor({ state: 'hidden' })
  assert.equal(await page.getByLabel('First name').inputValue(), 'Half a sen')
  assert.equal(await page.getByText('No API tokens yet').count(), 1)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Changes saved').waitFor()
  await page.getByRole('heading', { name: 'Half a sen' }).waitFor()

  await page.getByLabel('Last name').fill('Secret of mine')
  await site.pool.query(`delete from sessions where user_id = (select id from users where username = 'typing')`)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await signIn(page, 'admin', adminPassword)
  await page.getByRole('button', { name: 'admin' }).waitFor()
  assert.equal(await page.getByLabel('Last name').inputValue(), '')
  assertQuiet()
})

test(
  'a link sets a new password, and without a mail server the reset form refers to the administrator',
  inBrowser,
  async () => {
    const made = await site.call<{ data: { id: number } }>('POST', 'users', { data: { username: 'forgetful' } })
    const { data } = await site.call<{ data: { url: string } }>('POST', `users/${made.data.id}/password-reset`, {})
    const { page, shot, assertQuiet } = await site.visit(new URL(data.url).pathname + new URL(data.url).hash)
    await page.getByRole('textbox', { name: 'New password', exact: true }).fill(PASSWORD)
    await page.getByLabel('Confirm new password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByRole('button', { name: 'Go to sign-in' }).click()
    await page.getByRole('button', { name: 'Forgot your password?' }).click()
    await page.getByLabel('Username or email address').fill('forgetful')
    await page.keyboard.press('Enter')
    await page.getByText('Ask your administrator for a link instead.').waitFor()
    await shot('forgotten-password')
    await page.getByRole('button', { name: 'Back to sign-in' }).click()
    await signIn(page, 'forgetful', PASSWORD)
    await pages(page).waitFor()
    assertQuiet()
  },
)

test(
  'an identity provider has a sign-in link that returns to the page, and its errors have messages',
  inBrowser,
  async () => {
    const provider = { name: 'Example ID', issuer: 'https://id.example.org', client_id: 'corvus', is_enabled: true }
    await site.call('POST', 'identity-providers', { data: provider })
    const { page, shot, assertQuiet } = await site.visit('/sign-in?error=account_closed')
    await page.getByText('Your account is locked or inactive.').waitFor()
    await shot('sign-in-provider')
    const link = page.getByRole('link', { name: 'Sign in with Example ID' })
    assert.match((await link.getAttribute('href')) ?? '', /oidc\/start\?identity_provider=\d+&return_to=%2F$/)
    await signIn(page, 'admin', adminPassword)
    await pages(page).waitFor()
    assert.equal(new URL(page.url()).pathname, '/')
    assertQuiet()
  },
)
