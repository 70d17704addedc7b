import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startScriptedProvider } from '../set-up/scripted-provider.ts'
import { assertAccessible, inBrowser, openSite } from './site.ts'

let site: Awaited<ReturnType<typeof openSite>>
let provider: Awaited<ReturnType<typeof startScriptedProvider>>
const ids: string[] = []

before(async () => {
  if (inBrowser.skip) return
  site = await openSite()
  provider = await startScriptedProvider()
  const type = 'ai-provider-openai-like'
  await site.call('PATCH', 'configurations/server', { data: { ai_providers_usage_consented: true } })
  await site.call('PUT', 'configurations/ai', {
    data: { type, enabled: true, base_url: provider.url, api_key: 'key-of-tests', max_tlp: 'AMBER' },
  })
  await site.call('PUT', 'configurations/ai', {
    data: { type: 'ai-features', ai_intel_summary: { provider: type, model: 'scripted' } },
  })
  for (const [title, tlp_color] of [
    ['Grey Heron', 'AMBER'],
    ['Heron loader', 'GREEN'],
  ])
    ids.push(
      (
        await site.call<{ data: { id: string } }>('POST', 'entities', {
          data: {
            data: { type: 'malware', title, description: `${title} calls crow.example.com.` },
            meta: { tlp_color },
            observables: [{ type: 'domain', value: 'crow.example.com' }],
          },
        })
      ).data.id,
    )
})
after(async () => {
  await provider?.stop()
  await site?.stop()
})

test('an entity is summarised: the text, what was sent, and a note that says how it was made', inBrowser, async () => {
  provider.says(() => 'It calls crow.example.com and 203.0.113.9.')
  const { page, shot, assertQuiet } = await site.enter(`/entities/${ids[0]}`)
  await page.getByRole('button', { name: 'AI', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Summarise' }).click()
  const dialog = page.getByRole('dialog', { name: 'Summary' })
  await dialog.getByRole('region', { name: 'Summary' }).getByText('It calls').waitFor()
  await dialog.getByText('Values that are in none of the sources').waitFor()
  await dialog.getByRole('button', { name: 'Copy', exact: true }).waitFor()
  await shot('ai-summary')
  await assertAccessible(page, 'summary of an entity')
  await dialog.getByRole('button', { name: 'What was sent' }).click()
  const sent = page.getByRole('dialog', { name: 'What was sent' })
  await sent.getByText('Grey Heron calls crow.example.com.').waitFor()
  await shot('ai-summary-sent')
  await page.keyboard.press('Escape')
  await sent.waitFor({ state: 'hidden' })
  await dialog.getByRole('button', { name: 'Save as note' }).click()
  await dialog.getByRole('link', { name: 'Open note' }).click()
  await page.getByRole('heading', { name: 'Summary: Grey Heron' }).waitFor()
  await page.getByText('AI-generated').waitFor()
  await page.getByText('TLP:AMBER').first().waitFor()
  await shot('ai-summary-note')
  const id = page.url().split('/').at(-1)
  const { data } = await site.call<{ data: { data: object; meta: Record<string, object> } }>('GET', `entities/${id}`)
  assert.partialDeepStrictEqual(data, {
    data: { type: 'note', description: 'It calls crow.example.com and 203.0.113.9.' },
    meta: { tlp_color: 'AMBER', generated_by: { feature: 'ai_intel_summary', model: 'scripted', inputs: [ids[0]] } },
  })
  assertQuiet()
})

test(
  'a summary that was stopped can be started again, and its dialog still closes with Escape',
  inBrowser,
  async () => {
    provider.says(() => (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(
        `data: ${JSON.stringify({ choices: [{ delta: { content: 'It begins' }, finish_reason: null }] })}\n\n`,
      )
    })
    const { page, assertQuiet } = await site.enter(`/entities/${ids[1]}`)
    await page.getByRole('button', { name: 'AI', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Summarise' }).click()
    const dialog = page.getByRole('dialog', { name: 'Summary' })
    await dialog.getByText('It begins').waitFor()
    await dialog.getByRole('button', { name: 'Stop' }).click()
    await dialog.getByText('Stopped before the end.').waitFor()
    provider.says(() => 'It is a loader.')
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await dialog.getByText('It is a loader.').waitFor()
    provider.says(() => () => {})
    await dialog.getByRole('button', { name: 'Summarise again' }).click()
    await dialog.getByRole('button', { name: 'Stop' }).click()
    await dialog.getByText('Stopped before the end.').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    assertQuiet()
  },
)

test('a summary that answers a question needs the question', inBrowser, async () => {
  const { page, assertQuiet } = await site.enter('/?q=type:malware')
  await page.getByRole('row', { name: /Heron loader/ }).waitFor()
  await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check()
  await page.getByRole('button', { name: 'AI', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Summarise' }).click()
  const dialog = page.getByRole('dialog', { name: 'Summarise 2 entities' })
  await dialog.getByRole('combobox', { name: 'Summary type' }).click()
  await page.getByRole('option', { name: /^Contextual/ }).click()
  const start = dialog.getByRole('button', { name: 'Summarise', exact: true })
  assert.equal(await start.isDisabled(), true)
  await dialog.getByRole('textbox', { name: 'Question' }).fill('Do they concern hospitals?')
  provider.says(() => 'They do not.')
  await start.click()
  await dialog.getByText('They do not.').waitFor()
  assert.match(provider.prompts.at(-1)?.text ?? '', /Do they concern hospitals\?/)
  assertQuiet()
})

test('a report on selected entities is previewed, without what it must not load, and saved', inBrowser, async () => {
  const description = '<h2>Findings</h2><p>Herons fish at 203.0.113.99.</p><img src="https://evil.example/?q=1">'
  provider.says(() => JSON.stringify({ title: 'Herons this week', description }))
  const { page, shot, assertQuiet } = await site.enter('/?q=type:malware', { colorScheme: 'dark' })
  await page.getByRole('status').getByText('2 entities', { exact: true }).waitFor()
  await page.getByRole('row', { name: /Heron loader/ }).waitFor()
  await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check()
  await page.getByRole('region', { name: 'Selected rows' }).getByText('2 selected').waitFor()
  await page.getByRole('button', { name: 'AI', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Write report' }).click()
  const dialog = page.getByRole('dialog', { name: 'Write a report on 2 entities' })
  await dialog.getByRole('combobox', { name: 'Observables' }).click()
  await page.getByRole('option', { name: 'crow[.]example[.]com' }).click()
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Write report' }).click()
  await dialog.getByRole('heading', { name: 'Findings' }).waitFor()
  assert.equal(await dialog.locator('mark').textContent(), '203[.]0[.]113[.]99')
  await shot('ai-report-preview')
  await assertAccessible(page, 'report builder')
  assert.match(provider.prompts.at(-1)?.text ?? '', /domain: crow\.example\.com/)
  await dialog.getByRole('button', { name: 'Save as report' }).click()
  await dialog.getByRole('link', { name: 'Open report' }).click()
  await page.getByRole('heading', { name: 'Herons this week' }).waitFor()
  await page.getByText('AI-generated').waitFor()
  const id = page.url().split('/').at(-1)
  const { data } = await site.call<{ data: { data: object; meta: object } }>('GET', `entities/${id}`)
  assert.partialDeepStrictEqual(data, {
    data: { type: 'report', description: '<h2>Findings</h2><p>Herons fish at 203.0.113.99.</p>' },
    meta: { tlp_color: 'AMBER' },
  })
  assertQuiet()
})

test('what is too restricted for its provider is refused by name, before anything is sent', inBrowser, async () => {
  const { data: red } = await site.call<{ data: { id: string } }>('POST', 'entities', {
    data: { data: { type: 'report', title: 'Red heron', description: 'A secret.' }, meta: { tlp_color: 'RED' } },
  })
  provider.prompts.length = 0
  const { page, shot, assertQuiet } = await site.enter(`/entities/${red.id}`, { viewport: { width: 390, height: 844 } })
  await page.getByRole('button', { name: 'AI', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Summarise' }).click()
  const dialog = page.getByRole('dialog', { name: 'Summary' })
  await dialog
    .getByText("OpenAI-compatible may receive at most TLP:AMBER. Too restricted: 'Red heron' (TLP:RED).")
    .waitFor()
  assert.equal(provider.prompts.length, 0)
  await shot('ai-summary-refused')
  await assertAccessible(page, 'a refused summary')
  assertQuiet()
})
