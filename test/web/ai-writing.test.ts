import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { useProvider } from '../set-up/ai.ts'
import { shouted, translating } from '../set-up/ai-answers.ts'
import { startScriptedProvider } from '../set-up/scripted-provider.ts'
import { until } from '../until.ts'
import { assertAccessible, inBrowser, openSite } from './site.ts'

let site: Awaited<ReturnType<typeof openSite>>
let provider: Awaited<ReturnType<typeof startScriptedProvider>>
before(async () => {
  if (inBrowser.skip) return
  site = await openSite()
  provider = await startScriptedProvider(translating(shouted))
})
after(async () => {
  await site?.stop()
  await provider?.stop()
})

const callWithStatus = async (method: string, path: string, body: unknown) => ({
  status: 200,
  body: await site.call<object>(method, path, body),
})

test(
  'an entity is translated next to the original, and a translation is saved only when it is used',
  inBrowser,
  async () => {
    const { data } = await site.call<{ data: { id: string } }>('POST', 'entities', {
      data: {
        data: { type: 'report', title: 'Crows at night', description: 'They fly to **192.0.2.7** and back.' },
        meta: { tlp_color: 'GREEN' },
      },
    })
    const read = async () =>
      (await site.call<{ data: { data: { title: string; description: string } } }>('GET', `entities/${data.id}`)).data
        .data
    const before = await site.enter(`/entities/${data.id}`)
    await before.page.getByRole('tab', { name: 'Description' }).waitFor()
    assert.equal(await before.page.getByRole('button', { name: 'AI' }).count(), 0, 'Nothing is shown without AI.')
    await useProvider({ call: callWithStatus } as never, provider, ['ai_translation'])
    const { page, shot, assertQuiet } = await site.enter(`/entities/${data.id}`)
    assert.equal(await page.getByRole('tab', { name: 'Translate' }).count(), 0)
    await page.getByRole('button', { name: 'AI', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Translate' }).click()
    await page.getByRole('tab', { name: 'Translate', selected: true }).waitFor()
    await page.getByRole('combobox', { name: 'Language' }).fill('Germ')
    await page.getByRole('option', { name: 'German' }).click()
    await page.getByRole('button', { name: 'Translate', exact: true }).click()
    const description = page.getByRole('region', { name: 'Description' })
    await description.getByText('192[.]0[.]2[.]7', { exact: true }).waitFor()
    const field = page.getByRole('textbox', { name: 'Translation of the description' })
    assert.equal(await field.inputValue(), 'THEY FLY TO **192.0.2.7** AND BACK.')
    await shot('translation')
    await assertAccessible(page, 'translation')
    assert.equal((await read()).description, 'They fly to **192.0.2.7** and back.')
    await field.fill('Sie fliegen zu **192.0.2.7** und zurück.')
    await page.getByRole('button', { name: 'Replace description' }).click()
    await page.getByRole('button', { name: 'In use' }).waitFor()
    assert.deepEqual(
      [(await read()).title, (await read()).description],
      ['Crows at night', 'Sie fliegen zu **192.0.2.7** und zurück.'],
    )
    await page.getByRole('button', { name: 'What was sent' }).click()
    await page.getByRole('dialog').getByText('You translate cyber threat intelligence').first().waitFor()
    assert.equal(await page.getByRole('dialog').getByText('192.0.2.7').count(), 0)
    assertQuiet()
  },
)

test('a description is rewritten change by change, and saved with the form', inBrowser, async () => {
  await useProvider({ call: callWithStatus } as never, provider, ['ai_writing_assistant'])
  provider.says(() => 'The sample connects to 198.51.100.9 often.')
  const { data } = await site.call<{ data: { id: string } }>('POST', 'entities', {
    data: {
      data: { type: 'report', title: 'Crows', description: 'The sampel connects to 192.0.2.7 oftn.' },
      meta: { tlp_color: 'GREEN' },
    },
  })
  const { page, shot, assertQuiet } = await site.enter(`/entities/${data.id}/edit`)
  await page.getByRole('button', { name: 'Rewrite description' }).click()
  const panel = page.getByRole('region', { name: 'Rewrite description' })
  await panel.getByRole('button', { name: 'Rewrite', exact: true }).click()
  await panel.getByRole('alert').getByText('198[.]51[.]100[.]9').waitFor()
  await panel.getByText('These values would be lost').waitFor()
  await panel.getByRole('checkbox', { name: /192/ }).first().uncheck()
  await shot('rewritten')
  await assertAccessible(page, 'rewritten')
  await panel.getByRole('button', { name: /^Use / }).click()
  const field = page.getByRole('textbox', { name: 'Description', exact: true })
  assert.match(await field.inputValue(), /^The sample connects to .*192\.0\.2\.7/)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('heading', { level: 1, name: 'Crows', exact: true }).waitFor()
  const saved = await site.call<{ data: { data: { description: string } } }>('GET', `entities/${data.id}`)
  assert.match(saved.data.data.description, /^The sample connects to .*192\.0\.2\.7/)
  assertQuiet()
})

test('a description is translated in its form, and too restricted a text is not sent', inBrowser, async () => {
  provider.says(translating(shouted))
  await useProvider({ call: callWithStatus } as never, provider, ['ai_translation'])
  const { page, shot, assertQuiet } = await site.enter('/entities/new?type=report')
  await page.getByRole('textbox', { name: 'Title' }).fill('Crows')
  await page.getByRole('textbox', { name: 'Description', exact: true }).fill('They fly to 192.0.2.7.')
  await page.getByRole('button', { name: 'Translate description' }).click()
  const panel = page.getByRole('region', { name: 'Translate description' })
  await page.getByRole('combobox', { name: 'TLP' }).click()
  await page.getByRole('option', { name: 'TLP:RED' }).click()
  await panel.getByText('OpenAI-compatible receives at most TLP:GREEN, and this text is TLP:RED.').waitFor()
  assert.equal(await panel.getByRole('button', { name: 'Translate', exact: true }).count(), 0)
  await page.getByRole('combobox', { name: 'TLP' }).click()
  await page.getByRole('option', { name: 'TLP:GREEN' }).click()
  await panel.getByRole('button', { name: 'Translate', exact: true }).click()
  await panel.getByRole('button', { name: 'Replace description' }).click()
  await panel.getByText('It is saved with the form.').waitFor()
  await shot('translated-in-form')
  await assertAccessible(page, 'translated in a form')
  const field = page.getByRole('textbox', { name: 'Description', exact: true })
  assert.equal(await field.inputValue(), 'THEY FLY TO 192.0.2.7.')
  assertQuiet()
})

test('relevancy and enrichment show their quotes and sources', inBrowser, async () => {
  await useProvider({ call: callWithStatus } as never, provider, [
    // Without it, there are no passages to answer from.
    'ai_assistant',
    'ai_contextual_relevancy',
    'ai_web_enrichment',
  ])
  await site.call('PUT', 'configurations/organization-profile', { data: { sectors: ['Energy'] } })
  const make = async (type: string, title: string, description: string) =>
    (
      await site.call<{ data: { id: string } }>('POST', 'entities', {
        data: { data: { type, title, description }, meta: { tlp_color: 'GREEN' } },
      })
    ).data.id
  const id = await make('threat-actor', 'Sable Heron', 'A group that targets energy suppliers.')
  await make('report', 'Heron report', 'Amber Loader is used by Sable Heron.')
  provider.says(({ text }) => {
    if (text.includes('What to change')) {
      const description = ['It attacks energy suppliers.']
      return JSON.stringify({ title: 'Sable Heron', description, key_highlights: [], related_entities: [] })
    }
    return text.includes('how relevant')
      ? JSON.stringify({ score: 80, reasons: [{ text: 'It is our sector.', quote: 'energy suppliers' }] })
      : JSON.stringify({
          title: 'Sable Heron',
          description: ['A group with a loader [1]. See https://invented.example/x.'],
          key_highlights: [],
          related_entities: [{ name: 'Amber Loader', type: 'malware', quote: 'Amber Loader is used' }],
        })
  })
  const hasPassages = async () => {
    const made = await site.call<{ data: { sources: unknown[] } }>('POST', 'ai/web-enrichment', {
      data: { entity: id },
    })
    return made.data.sources.length > 0
  }
  await until(hasPassages, 'there are no passages')
  const { page, shot, assertQuiet } = await site.enter(`/entities/${id}?tab=research`)
  await page.getByRole('button', { name: 'Assess relevancy' }).click()
  const relevancy = page.getByRole('region', { name: 'Relevancy' })
  await relevancy.getByText('80 of 100').waitFor()
  await relevancy.getByText('“energy suppliers”').waitFor()
  await page.getByRole('button', { name: 'Find out more' }).click()
  const enrichment = page.getByRole('region', { name: 'Web enrichment' })
  await enrichment.getByText('No web search stands behind this result').waitFor()
  await enrichment.getByRole('link', { name: 'Heron report' }).waitFor()
  await enrichment.getByText('Links removed because they are no source: 1').waitFor()
  assert.equal(await enrichment.getByText('invented').count(), 0)
  await enrichment.getByText('OpenAI-compatible cannot search the web').waitFor()
  await enrichment.getByRole('textbox', { name: 'Refine' }).fill('Which sectors?')
  await enrichment.getByRole('button', { name: 'Refine' }).click()
  await enrichment.getByText('It attacks energy suppliers.').waitFor()
  assert.match(provider.prompts.at(-1)?.text ?? '', /What to change or add:\nWhich sectors\?/)
  await enrichment.getByRole('button', { name: 'Save as note' }).click()
  await enrichment.getByRole('link', { name: 'Open note' }).waitFor()
  const notes = await site.call<{ data: { data: object; meta: object }[] }>('GET', 'entities?filter[data.type]=note')
  assert.partialDeepStrictEqual(notes.data, [
    { data: { title: 'Sable Heron', description: 'It attacks energy suppliers.\n\n## Sources\n\n1. Heron report' } },
  ])
  await shot('research')
  await assertAccessible(page, 'research')
  assertQuiet()
})
