import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { all, answer, is } from '../nlp-to-search/conditions.ts'
import { useProvider } from '../set-up/ai.ts'
import { startScriptedProvider } from '../set-up/scripted-provider.ts'
import { assertNoBarrier, inBrowser, openSite, type Visit } from './site.ts'

let site: Awaited<ReturnType<typeof openSite>>
let provider: Awaited<ReturnType<typeof startScriptedProvider>>
let window: Visit
before(async () => {
  if (inBrowser.skip) return
  site = await openSite()
  provider = await startScriptedProvider()
  const data = Array.from({ length: 12 }, (_, i) => ({
    data: { type: i % 3 === 0 ? 'malware' : 'indicator', title: `Crow ${i}` },
    meta: { tags: [i % 2 === 0 ? 'phishing' : 'fraud'], tlp_color: 'GREEN' },
  }))
  await site.call('PUT', 'entities', { data })
  window = await site.enter('/')
})
after(async () => {
  await provider?.stop()
  await site?.stop()
})

const box = (page: Page) => page.getByRole('combobox', { name: 'Query' })
const button = (page: Page) => page.getByRole('button', { name: 'Ask in words' })
const panel = (page: Page) => page.getByRole('region', { name: 'Ask in words' })

test('a question becomes a query, which is shown with what it finds and lacks before it runs', inBrowser, async () => {
  const { page, shot, assertQuiet } = window
  await page.getByText('12 entities', { exact: true }).first().waitFor()
  assert.equal(await button(page).count(), 0)
  const call = async (method: string, path: string, body?: unknown) => ({
    status: 200,
    body: await site.call(method, path, body),
    headers: {},
  })
  await useProvider({ call }, provider, ['nlp_to_search'])
  await page.reload()
  await button(page).click()
  const question = panel(page).getByRole('textbox', { name: 'Question' })
  await shot('words-open')
  provider.says(() => JSON.stringify(answer(all(is('type', 'indicators'), is('tags', 'phishing', 'no-such-tag')))))
  await page.keyboard.type('phishing indicators or the like')
  await page.keyboard.press('Enter')
  await panel(page).getByText('4 entities').waitFor()
  await panel(page).getByText('Finds entities where type is indicator and tags is phishing.').waitFor()
  await panel(page).getByText('No entity that you see has this tag.').waitFor()
  assert.equal(await box(page).inputValue(), 'type:indicator AND tags:phishing')
  // It has not run: neither the address nor the results changed.
  assert.ok(!page.url().includes('q='), page.url())
  await page.getByText('12 entities', { exact: true }).first().waitFor()
  await shot('words-answer')
  await assertNoBarrier(page, 'question')
  await panel(page).getByRole('button', { name: 'What was sent' }).click()
  await page.getByRole('dialog').getByText('phishing indicators or the like').first().waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await box(page).focus()
  await page.keyboard.press('End')
  await page.keyboard.type(' AND meta.tlp_color:GREEN')
  await page.keyboard.press('Enter')
  await page.getByRole('status').getByText('4 entities', { exact: true }).waitFor()
  assert.match(new URL(page.url()).searchParams.get('q') ?? '', /^type:indicator AND tags:phishing AND meta/)
  await question.waitFor({ state: 'detached' })
  assertQuiet()
})

test('questions without a query, errors and stopping leave the query as it is', inBrowser, async () => {
  const { page, shot, assertQuiet } = window
  await page.goto(`${site.url}/?q=crow`)
  await button(page).click()
  const ask = async (text: string) => {
    await panel(page).getByRole('textbox', { name: 'Question' }).fill(text)
    await page.keyboard.press('Enter')
  }
  provider.says(() => JSON.stringify({ ...answer(all()), not_expressed: ['the weather'] }))
  await ask('How is the weather?')
  await panel(page).getByText('No query for this question').waitFor()
  await shot('words-nothing')
  provider.says(() => (response) => response.writeHead(401).end('{}'))
  await ask('And now?')
  await panel(page).getByRole('alert').waitFor()
  await shot('words-error')
  provider.says(() => () => undefined)
  await ask('Are you there?')
  await panel(page).getByRole('button', { name: 'Stop' }).click()
  await panel(page).getByRole('button', { name: 'Ask', exact: true }).waitFor()
  assert.equal(await box(page).inputValue(), 'crow')
  await page.keyboard.press('Escape')
  await panel(page).waitFor({ state: 'detached' })
  await button(page).and(page.locator(':focus')).waitFor()
  assertQuiet()
})
