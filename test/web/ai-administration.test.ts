import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { json, startScriptedProvider } from '../set-up/scripted-provider.ts'
import { assertAccessible, inBrowser, openSite } from './site.ts'

let site: Awaited<ReturnType<typeof openSite>>
let provider: Awaited<ReturnType<typeof startScriptedProvider>>
before(async () => {
  if (inBrowser.skip) return
  site = await openSite()
  provider = await startScriptedProvider(({ schema }) => (schema ? '{"works": true}' : 'OK'))
})
after(async () => {
  await provider?.stop()
  await site?.stop()
})

interface Configured {
  readonly type: string
  readonly [field: string]: unknown
}
const recordOf = async (type: string): Promise<Configured | undefined> =>
  (await site.call<{ data: Configured[] }>('GET', 'configurations/ai')).data.find((record) => record.type === type)

const card = (page: Page) => page.getByRole('region', { name: 'OpenAI-compatible' })

test('an administrator allows providers, sets one up, and sees what its connection test finds', inBrowser, async () => {
  const { page, shot, assertQuiet } = await site.enter('/admin/language-models')
  await page.getByText('Nothing is sent to any provider.').waitFor()
  await shot('ai-not-allowed')
  assert.equal(await page.getByRole('button', { name: 'Test connection' }).count(), 0)
  await page.getByRole('button', { name: 'Allow providers' }).click()
  await page.getByText('Providers are allowed').waitFor()
  await card(page).getByRole('button', { name: 'Set up' }).click()
  await card(page).getByLabel('Address').fill('not an address')
  await card(page).getByRole('button', { name: 'Save' }).click()
  await card(page).getByText('must be an http or https URL').waitFor()
  await card(page).getByLabel('Address').fill(provider.url)
  await card(page).getByLabel('API key', { exact: true }).fill('key-of-tests')
  await page.getByRole('combobox', { name: 'Receives at most' }).click()
  await page.getByRole('option', { name: 'Up to TLP:AMBER' }).click()
  await card(page).getByLabel('Budget of each user').fill('1000')
  await card(page).getByLabel('Price of a million tokens sent').fill('1000000')
  await card(page).getByLabel('Embedding model').fill('a-model-of-ours')
  await shot('ai-provider-form')
  await assertAccessible(page, 'provider form')
  await card(page).getByRole('button', { name: 'Save' }).click()
  const result = card(page).getByRole('region', { name: 'Connection test' })
  await result.getByText('The connection works').waitFor()
  await result.getByRole('row', { name: /Makes vectors a-model-of-ours OK Vectors of 64 numbers/ }).waitFor()
  await shot('ai-provider-tested')
  await assertAccessible(page, 'connection test')
  assert.partialDeepStrictEqual(await recordOf('ai-provider-openai-like'), {
    enabled: true,
    max_tlp: 'AMBER',
    monthly_token_budget: 1000,
    selected_embedding_model: 'a-model-of-ours',
  })

  await card(page).getByRole('combobox', { name: 'Model to test' }).fill('not-listed')
  await card(page).getByRole('button', { name: 'Test connection' }).click()
  await result.getByRole('row', { name: /Answers not-listed OK/ }).waitFor()
  await card(page).getByRole('link', { name: 'Assign features' }).waitFor()
  await card(page).getByRole('combobox', { name: 'Model to test' }).fill('')

  provider.plays(() => (response) => json(response, { error: { message: 'key-of-tests is wrong' } }, 401))
  await card(page).getByRole('button', { name: 'Test connection' }).click()
  await result.getByText('The connection does not work').waitFor()
  await result.getByRole('row', { name: /Answers scripted Failed/ }).waitFor()
  assert.equal(await page.getByText('key-of-tests').count(), 0)
  await shot('ai-provider-failed')
  provider.plays()
  assertQuiet()
})

test('features get a provider and any model, and say what they lack', inBrowser, async () => {
  const { page, shot, assertQuiet } = await site.enter('/admin/language-models?tab=features', { colorScheme: 'dark' })
  const feature = (name: string) => page.getByRole('group', { name, exact: true })
  await feature('Assistant').getByText('Off').waitFor()
  await page.getByRole('combobox', { name: 'Model of all features' }).fill('scripted')
  await page.getByRole('button', { name: 'Use for all features' }).click()
  await feature('Translation').getByRole('combobox', { name: 'Provider of Translation' }).click()
  await page.getByRole('option', { name: 'Off' }).click()
  await feature('Web enrichment').getByRole('combobox', { name: 'Model of Web enrichment' }).fill('not-listed')
  await page.getByRole('button', { name: 'Save features' }).click()
  await feature('Search in words').getByText('On', { exact: true }).waitFor()
  await feature('Translation').getByText('Off').waitFor()
  await shot('ai-features')
  await assertAccessible(page, 'features')
  const chosen = { provider: 'ai-provider-openai-like', model: 'scripted' }
  assert.partialDeepStrictEqual(await recordOf('ai-features'), {
    ai_assistant: chosen,
    ai_translation: { provider: null, model: null },
    ai_web_enrichment: { ...chosen, model: 'not-listed' },
  })
  await page.getByRole('button', { name: 'Stop using providers' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop using providers' }).click()
  await feature('Assistant').getByText('Providers are not allowed yet.').waitFor()
  await page.getByRole('button', { name: 'Allow providers' }).click()
  await feature('Assistant').getByText('On', { exact: true }).waitFor()
  assertQuiet()
})

test('usage is added up by user and feature, with costs and budgets', inBrowser, async () => {
  const { page, shot, assertQuiet } = await site.enter('/admin/language-models?tab=usage', {
    viewport: { width: 390, height: 844 },
  })
  const table = page.getByRole('table')
  await table.getByRole('row', { name: /^admin \d+ \d+ \d+ \d+ \d/ }).waitFor()
  await page.getByText(/of 1,000 tokens/).waitFor()
  await page.getByText('Feature', { exact: true }).click()
  await table.getByRole('row', { name: /^Connection test/ }).waitFor()
  assert.match(page.url(), /by=feature/)
  await shot('ai-usage-phone')
  await assertAccessible(page, 'usage')
  const own = await site.enter('/profile')
  await own.page
    .getByRole('region', { name: 'Language models' })
    .getByText(/of 1,000 tokens/)
    .waitFor()
  await own.shot('ai-own-usage')
  assertQuiet()
})

test('readers see the settings without buttons, and others no settings at all', inBrowser, async () => {
  const { data: permissions } = await site.call<{ data: { id: number; name: string }[] }>(
    'GET',
    'permissions?limit=100',
  )
  const enter = async (username: string, held: readonly string[]) => {
    const ids = permissions.filter(({ name }) => held.includes(name)).map(({ id }) => id)
    const role = await site.call<{ data: { id: number } }>('POST', 'roles', {
      data: { name: username, permissions: ids },
    })
    const password = 'Correct horse 7!'
    const account = { username, password, roles: [role.data.id], must_change_password: false }
    await site.call('POST', 'users', { data: account })
    return site.enter('/admin/language-models', { username, password })
  }
  const reader = await enter('reader', ['read configurations', 'read entities'])
  await card(reader.page).getByText('Connected').waitFor()
  for (const name of ['Edit', 'Set up', 'Test connection', 'Stop using providers'])
    assert.equal(await reader.page.getByRole('button', { name }).count(), 0, name)
  const other = await enter('other', ['read entities'])
  await other.page.getByText('You do not have access to this page').waitFor()
})
