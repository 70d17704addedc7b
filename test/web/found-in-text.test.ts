import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertAccessible, inBrowser, openSite } from './site.ts'

let site: Awaited<ReturnType<typeof openSite>>
before(async () => {
  if (!inBrowser.skip) site = await openSite()
})
after(() => site?.stop())

interface Made {
  readonly data: { readonly id: string }
}

const idIn = (url: string): string => url.split('/').at(-1) ?? ''

test(
  'what a text names is added to a report, related to it and classifies it, each with a click',
  inBrowser,
  async () => {
    const body = { data: { data: { type: 'malware', title: 'Duskloader' } } }
    const { data: malware } = await site.call<Made>('POST', 'entities', body)
    const { page, shot, assertQuiet } = await site.enter('/entities/new?type=report')
    await page.getByRole('textbox', { name: 'Title' }).fill('Mails from the north')
    const found = page.getByRole('region', { name: 'Found in this text' })
    await page
      .getByRole('textbox', { name: 'Description', exact: true })
      .fill(
        'Duskloader came as an attachment (T1566.001) and asked cdn.evil.example and 203.0.113.7 for process injection.',
      )
    await found.getByRole('button', { name: 'Analyse text' }).click()
    await found.getByText('cdn[.]evil[.]example').first().waitFor()
    await shot('found-in-text')
    await assertAccessible(page, 'found in text')
    await found.getByRole('button', { name: 'Add domain cdn[.]evil[.]example' }).click()
    assert.equal(await page.getByRole('textbox', { name: 'Value of observable 1' }).inputValue(), 'cdn.evil.example')
    await found.getByRole('button', { name: 'Add ipv4 203[.]0[.]113[.]7' }).click()
    await found.getByRole('button', { name: 'Relate Duskloader' }).click()
    await found.getByRole('button', { name: 'Do not relate Duskloader' }).waitFor()
    await found.getByRole('button', { name: 'Classify with T1566.001 Spearphishing Attachment' }).click()
    await shot('found-in-text-accepted')
    await page.getByRole('button', { name: 'Create entity' }).click()
    await page.getByRole('heading', { level: 1, name: 'Mails from the north' }).waitFor()
    const id = idIn(new URL(page.url()).pathname)
    const { data: report } = await site.call<{ data: { meta: { attacks: string[] }; observables: string[] } }>(
      'GET',
      `entities/${id}`,
    )
    assert.deepEqual(report.meta.attacks.map(idIn), ['TA0001:T1566.001'])
    assert.equal(report.observables.length, 2)
    const { data: relationships } = await site.call<{ data: { data: { target: string } }[] }>(
      'GET',
      `relationships?filter[data.source]=${id}`,
    )
    assert.deepEqual(
      relationships.map(({ data }) => idIn(data.target)),
      [malware.id],
    )
    assertQuiet()
  },
)

test('what an imported report contains is accepted on its page', inBrowser, async () => {
  await site.call('POST', 'entities', { data: { data: { type: 'tool', title: 'Mimilike' } } })
  const description = 'They ran Mimilike (T1003.001) and then sent 198.51.100.7 a copy.'
  const body = { data: { data: { type: 'report', title: 'As imported', description } } }
  const { data: report } = await site.call<Made>('POST', 'entities', body)
  const { page, shot, assertQuiet } = await site.enter(`/entities/${report.id}?tab=description`)
  const found = page.getByRole('region', { name: 'Found in this text' })
  await found.getByRole('button', { name: 'Analyse text' }).click()
  await found.getByRole('button', { name: 'Relate Mimilike' }).click()
  await page.getByText('Relationship added').waitFor()
  await found.getByRole('button', { name: 'Add ipv4 198[.]51[.]100[.]7' }).click()
  await page.getByText('Observable added').waitFor()
  await found.getByRole('button', { name: 'Classify with T1003.001 LSASS Memory' }).click()
  await page.getByText('Classified with T1003.001').waitFor()
  await shot('found-in-report')
  await found.getByRole('button', { name: 'Analyse again' }).click()
  await found.getByRole('button', { name: 'Analyse again' }).waitFor()
  assert.equal(await found.getByRole('button', { name: /^(Relate|Add|Classify with T1003\.001) / }).count(), 0)
  assertQuiet()
})
