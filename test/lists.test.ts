import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentOf } from '../server/formats/document.ts'
import type { Finding } from '../server/formats/finding.ts'
import { wayOf } from '../server/formats/formats.ts'
import { recognise } from '../server/formats/recognise.ts'
import { zipOf } from './set-up/archives.ts'
import { encode } from './set-up/lists/encode.ts'
import { encodedLists, remarkIn } from './set-up/lists/encoded.ts'
import { feedLists } from './set-up/lists/feeds.ts'
import type { ListFile } from './set-up/lists/list-file.ts'
import { publishedLists } from './set-up/lists/published.ts'
import type { Listed } from './set-up/lists/values.ts'
import { vendorLists } from './set-up/lists/vendors.ts'
import { corvus, losses, processed } from './set-up/processing.ts'

const COLLECTIONS = {
  vendors: vendorLists(),
  feeds: feedLists(),
  published: publishedLists(),
  encodings: encodedLists(),
}

async function findingsIn({ name, text, encoding }: ListFile): Promise<Finding[]> {
  const document = documentOf(encode(text, encoding), name)
  const { read } = await wayOf(await recognise(document), document, {})
  return Array.fromAsync(read(document))
}

const observablesOf = (findings: readonly Finding[]): string[] =>
  findings.flatMap((finding) => {
    if (finding.kind === 'observable') return [`${finding.observable.type} ${finding.observable.value}`]
    return finding.kind === 'entity'
      ? (finding.entity.observables ?? []).map(({ type, value }) => `${type} ${value}`)
      : []
  })

/** The host of an address, and the rule that names an address, may be found in addition. */
function isPart(found: string, indicators: readonly Listed[]): boolean {
  const value = found.slice(found.indexOf(' ') + 1)
  if (found.startsWith('snort ')) return indicators.some((one) => value.includes(one.value))
  return indicators.some((one) => (one.type === 'uri' || one.type === 'email') && one.value.includes(value))
}

test('the collections have enough layouts and encodings', () => {
  const files = Object.values(COLLECTIONS).flat()
  assert.ok(files.length >= 60, String(files.length))
  assert.ok(new Set(files.map(({ encoding = 'utf-8' }) => encoding)).size >= 10)
})

for (const [collection, files] of Object.entries(COLLECTIONS)) {
  test(`nearly every indicator of the lists of ${collection} is found, none with a wrong type`, async () => {
    let total = 0
    const missing: string[] = []
    for (const file of files) {
      const found = new Set(observablesOf(await findingsIn(file)))
      const expected = new Set(file.indicators.map(({ type, value }) => `${type} ${value}`))
      total += expected.size
      for (const one of expected) if (!found.has(one)) missing.push(`${file.name}: ${one}`)
      const wrong = [...found].filter((one) => !expected.has(one) && !isPart(one, file.indicators))
      assert.deepEqual(wrong, [], file.name)
    }
    assert.ok(
      missing.length <= total * 0.02,
      `${missing.length} of ${total} are missing: ${missing.slice(0, 20).join('; ')}`,
    )
  })
}

/** All stored observables, each as its type and value. */
async function stored(): Promise<Set<string>> {
  const all = new Set<string>()
  for (let cursor = ''; ; ) {
    const { body } = await corvus.call('GET', `observables?limit=2000&page[cursor]=${cursor}`)
    for (const { type, value } of body.data) all.add(`${type} ${value}`)
    if (body.cursor === null) return all
    cursor = encodeURIComponent(body.cursor)
  }
}

test('uploaded as archives, the collections are stored, and every loss is reported', async () => {
  for (const files of Object.values(COLLECTIONS)) {
    const packed = await zipOf(files.map(({ name, text, encoding }) => ({ name, content: encode(text, encoding) })))
    const { file, run } = await processed('collection.zip', packed)
    assert.ok(['SUCCESS', 'WARNING'].includes(run.state), run.error_detail)
    assert.deepEqual(run.result.lost, (await losses(file)).length)
    const all = await stored()
    const expected = new Set(files.flatMap(({ indicators }) => indicators.map(({ type, value }) => `${type} ${value}`)))
    const missing = [...expected].filter((one) => !all.has(one))
    assert.ok(missing.length <= expected.size * 0.02, missing.slice(0, 10).join('; '))
  }
})

test('the detected encoding is reported, and text written in it is preserved', async () => {
  for (const file of COLLECTIONS.encodings.filter(({ name }) => name.startsWith('remarks-'))) {
    const [first] = (await findingsIn(file)).filter((finding) => finding.kind === 'entity')
    const { encoding = '' } = file
    assert.match(String(first?.entity.data.description), new RegExp(remarkIn(encoding)), encoding)
    const said = (first?.notes ?? []).join().replaceAll(/[ _]/g, '-').toLowerCase()
    const name = encoding.replace(/(?<=16)[bl]e(?:-bom)?$/, '')
    if (encoding !== 'utf-8-bom') assert.ok(said.includes(name.replaceAll('_', '-')), `${encoding}: ${said}`)
  }
})
