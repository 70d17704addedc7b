import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startScriptedProvider } from '../set-up/scripted-provider.ts'
import { assertAccessible, inBrowser, openSite } from './site.ts'

let site: Awaited<ReturnType<typeof openSite>>
let provider: Awaited<ReturnType<typeof startScriptedProvider>>
const type = 'ai-provider-openai-like'
before(async () => {
  if (inBrowser.skip) return
  site = await openSite()
  provider = await startScriptedProvider()
  await site.call('PATCH', 'configurations/server', { data: { ai_providers_usage_consented: true } })
  await site.call('PUT', 'configurations/ai', {
    data: { type, enabled: true, base_url: provider.url, max_tlp: 'AMBER' },
  })
  for (const [kind, title, tlp_color] of [
    ['report', 'Herons at ports', 'AMBER'],
    ['malware', 'FeatherRAT', 'GREEN'],
  ])
    await site.call('POST', 'entities', {
      data: { data: { type: kind, title, description: `${title} and crow.example.com.` }, meta: { tlp_color } },
    })
})
after(async () => {
  await provider?.stop()
  await site?.stop()
})

const prompt = (more: object) =>
  site.call('POST', 'content-generation-prompts', {
    data: {
      description: '',
      content_prompt: 'Tell the board what happened.',
      formatting_prompt: 'Two sentences.',
      entity_types: [],
      target_language: 'English',
      include_related_entities: false,
      is_enabled: true,
      is_pinned: false,
      limit_content_length: false,
      ...more,
    },
  })

test('without the feature, the page says what to do', inBrowser, async () => {
  const { page, assertQuiet } = await site.enter('/content-generation')
  await page.getByText('Content generation is not available').waitFor()
  await page.getByRole('link', { name: 'Language models' }).waitFor()
  await site.call('PUT', 'configurations/ai', {
    data: { type: 'ai-features', ai_content_generation: { provider: type, model: 'scripted' } },
  })
  const empty = await site.enter('/content-generation')
  await empty.page.getByText('No prompts yet').waitFor()
  await empty.page.getByRole('link', { name: 'Create prompt' }).waitFor()
  assertQuiet()
})

test('selected entities become a text by a prompt, which is refined and saved', inBrowser, async () => {
  await prompt({ name: 'Briefing for the board', is_pinned: true, description: 'One page.', content_length: 90 })
  await prompt({ name: 'About malware', entity_types: ['malware'] })
  await prompt({ name: 'Switched off', is_enabled: false })
  const contents = ['A long text about crow.example.com and 203.0.113.9.', 'A short text.']
  provider.says(({ schema }) =>
    schema ? JSON.stringify({ title: 'Herons for the board', content: contents[0] }) : (contents[1] ?? ''),
  )
  const { page, shot, assertQuiet } = await site.enter('/?q=Herons')
  await page.getByRole('row', { name: /Herons at ports/ }).waitFor()
  await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check()
  await page.getByRole('button', { name: 'AI', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Write with a prompt' }).click()
  await page.getByRole('heading', { level: 1, name: 'Generate content' }).waitFor()
  const entities = page.getByRole('region', { name: 'Entities' })
  await entities.getByRole('link', { name: 'Herons at ports' }).waitFor()
  await entities.getByRole('textbox', { name: 'Add entity' }).fill('FeatherRAT')
  await page.getByRole('option', { name: /FeatherRAT/ }).click()
  await entities.getByText('Entities (2 of at most 10)').waitFor()
  const choice = page.getByRole('combobox', { name: 'Prompt' })
  assert.equal(await choice.inputValue(), 'Briefing for the board')
  await choice.click()
  assert.deepEqual(await page.getByRole('option').allTextContents(), ['Briefing for the board', 'About malware'])
  await page.getByRole('option', { name: 'About malware' }).click()
  await page.getByText('This prompt is not meant for report').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Generate', exact: true }).isDisabled(), true)
  await shot('content-unfit')
  await choice.click()
  await page.getByRole('option', { name: 'Briefing for the board' }).click()
  await page.getByRole('button', { name: 'Generate', exact: true }).click()
  const made = page.getByRole('region', { name: 'Generated content' })
  await made.getByRole('heading', { name: 'Herons for the board' }).waitFor()
  await made.getByText('Values that are in none of the sources').waitFor()
  await shot('content-generated')
  await assertAccessible(page, 'generated content')
  await made.getByRole('textbox', { name: 'Refine' }).fill('Shorter, please.')
  await made.getByRole('button', { name: 'Refine' }).click()
  await made.getByText('A short text.').waitFor()
  assert.match(provider.prompts.at(-1)?.text ?? '', /Change the text like this: Shorter, please\./)
  await made.getByRole('button', { name: 'Previous' }).click()
  await made.getByText('A long text').waitFor()
  await made.getByRole('button', { name: 'Next' }).click()
  await made.getByText('Version 2 of 2').waitFor()
  await shot('content-refined')
  await made.getByRole('button', { name: 'Save as report' }).click()
  await made.getByRole('link', { name: 'Open report' }).click()
  await page.getByRole('heading', { level: 1, name: 'Herons for the board' }).waitFor()
  await page.getByText('AI-generated').waitFor()
  const id = page.url().split('/').at(-1)
  const { data } = await site.call<{ data: { meta: { generated_by: { inputs: string[] } } } }>('GET', `entities/${id}`)
  assert.partialDeepStrictEqual(data, {
    data: { type: 'report', description: 'A short text.' },
    meta: { tlp_color: 'AMBER', generated_by: { feature: 'ai_content_generation' } },
  })
  assert.equal(data.meta.generated_by.inputs.length, 2)
  assertQuiet()
})
