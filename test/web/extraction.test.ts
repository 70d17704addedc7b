import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { useProvider } from '../set-up/ai.ts'
import { invented } from '../set-up/hostile-model.ts'
import { startScriptedProvider } from '../set-up/scripted-provider.ts'
import { until } from '../until.ts'
import { assertAccessible, inBrowser, openSite } from './site.ts'

let site: Awaited<ReturnType<typeof openSite>>
let provider: Awaited<ReturnType<typeof startScriptedProvider>>
before(async () => {
  if (!inBrowser.skip) site = await openSite()
  provider = await startScriptedProvider(() => ANSWER)
})
after(async () => {
  await provider.stop()
  await site?.stop()
})

interface Stored {
  readonly id: string
  readonly data: { readonly title: string; readonly description?: string }
  readonly meta: { readonly tlp_color?: string; readonly attacks?: readonly string[] }
  readonly observables: readonly string[]
}

const SENTENCE = 'Silent Crane (T1566.001) sent mails with GullLoader, which called evil[.]example.'
const ANSWER = JSON.stringify({
  entities: [
    { title: 'Silent Crane', attacks: ['T1566.001'] },
    { title: 'GullLoader', type: 'malware', observables: [1], confidence: 'medium' },
    { title: 'banks', type: 'identity', quote: 'Banks were the victims', confidence: 'low' },
    { title: '![image](https://collect.example/p.png)' },
  ].map((said) => invented({ quote: SENTENCE, ...said })),
  observables: [{ number: 1, label: 'malicious', use: 'command-and-control' }],
})

const listed = async (path: string): Promise<Stored[]> => (await site.call<{ data: Stored[] }>('GET', path)).data

const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

test('an analyst extracts entities from a report, reviews them by keyboard, and undoes it', inBrowser, async () => {
  const call = async (method: string, path: string, body?: unknown) => ({
    status: 200,
    body: await site.call(method, path, body),
    headers: {},
  })
  await useProvider({ call }, provider, ['ai_entity_extraction'], { max_tlp: 'AMBER' })
  const make = async (type: string, title: string, more = {}) =>
    (
      await site.call<{ data: Stored }>('POST', 'entities', {
        data: { data: { type, title, ...more }, meta: { tlp_color: 'AMBER' } },
      })
    ).data
  const known = await make('malware', 'GullLoader')
  const description = `<p>${SENTENCE}</p> <!-- hidden --> Banks were the victims.`
  const report = await make('report', 'Weekly report', { description })
  const { page, shot, assertQuiet } = await site.enter(`/entities/${report.id}?tab=extraction`)
  await page.getByRole('button', { name: 'Extract entities' }).click()
  await page.getByRole('heading', { name: 'Entities (3)' }).waitFor()
  await page.getByText('One statement of the model was dropped').waitFor()
  assert.equal(await page.locator('img[src*="collect"]').count(), 0)
  const crane = page.getByRole('group', { name: /^Threat actor Silent Crane/ })
  assert.match((await crane.textContent()) ?? '', /New.*T1566\.001 Spearphishing Attachment/)
  assert.match((await page.getByRole('group', { name: /^Malware GullLoader/ }).textContent()) ?? '', /Known entity/)
  await assertAccessible(page, 'the review of an extraction')
  await shot('extraction-review')

  await press(page, 'j', 'a', 'a', 'r')
  await page.getByText('2 of 4 accepted').waitFor()
  await page.getByRole('button', { name: /^Accept Domain name|^Accept .*evil/ }).click()
  await page.getByText('3 of 4 accepted').waitFor()
  await page.getByRole('button', { name: 'What was sent' }).click()
  await page.getByRole('dialog').getByText('Text whose lines begin with').waitFor()
  await press(page, 'Escape')
  await page.getByRole('button', { name: 'Save accepted' }).click()
  await page.getByText('Saved: 1 new entity, 1 known entity related, 1 observable.').waitFor()
  await assertAccessible(page, 'a saved extraction')
  await page.getByRole('link', { name: 'Show relationships' }).waitFor()
  await shot('extraction-saved')

  const [made, ...others] = await listed('entities?filter[data.type]=threat-actor')
  assert.deepEqual([made?.data.title, made?.meta.tlp_color, others], ['Silent Crane', 'AMBER', []])
  assert.match(String(made?.meta.attacks), /T1566\.001/)
  const related = await site.call<{ data: { data: { source: string; target: string } }[] }>('GET', 'relationships')
  assert.deepEqual(related.data.map(({ data }) => data.target.slice(-36)).sort(), [known.id, made?.id].sort())
  const before = (await site.call<{ data: Stored }>('GET', `entities/${report.id}`)).data
  assert.equal(before.observables.length, 1)

  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('has been removed again').waitFor()
  const isGone = async () => {
    const left = await listed('entities?filter[data.type]=threat-actor')
    const after = (await site.call<{ data: Stored }>('GET', `entities/${report.id}`)).data
    return left.length + after.observables.length === 0
  }
  await until(isGone, 'what was saved is still there')
  assert.deepEqual((await listed('relationships')).length, 0)
  assertQuiet()
})

test('what is extracted in the form of a new report is stored with the report', inBrowser, async () => {
  const { page, shot, assertQuiet } = await site.enter('/entities/new?type=report')
  await page.getByRole('textbox', { name: 'Title' }).fill('Another report')
  await page.getByRole('textbox', { name: 'Description', exact: true }).fill(SENTENCE)
  await page.getByRole('combobox', { name: 'TLP' }).click()
  await page.getByRole('option', { name: 'TLP:AMBER', exact: true }).click()
  await page.getByRole('button', { name: 'Extract entities' }).click()
  const panel = page.getByRole('region', { name: 'Extract entities' })
  await panel.getByRole('button', { name: 'Extract', exact: true }).click()
  await panel.getByRole('button', { name: 'Accept Threat actor Silent Crane' }).click()
  await panel.getByRole('button', { name: 'Accept Malware GullLoader' }).click()
  await panel.getByText('2 of 3 accepted').waitFor()
  await shot('extraction-in-form')
  await assertAccessible(page, 'extraction in a form')
  assert.equal((await listed('entities?filter[data.type]=threat-actor')).length, 0)
  await page.getByRole('button', { name: 'Create entity' }).click()
  await page.getByRole('heading', { level: 1, name: 'Another report', exact: true }).waitFor()
  const id = page.url().split('/').at(-1) ?? ''
  const [made] = await listed('entities?filter[data.type]=threat-actor')
  // No entity had the colour of the form when the text was sent.
  assert.deepEqual([made?.data.title, made?.meta.tlp_color], ['Silent Crane', 'AMBER'])
  const related = await site.call<{ data: { data: { source: string } }[] }>('GET', 'relationships')
  assert.deepEqual(
    related.data.map(({ data }) => data.source.slice(-36)),
    [id, id],
  )
  assertQuiet()
})
