import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import { root } from '../../server/config.ts'
import { isThorough } from '../../test/effort.ts'
import { SAMPLES, skipWithoutSamples } from '../../test/sample-files.ts'
import { bundleOf, shippedContent } from '../../test/set-up/attack-bundle.ts'
import { corvus, loadBundle, undo } from '../../test/set-up/frameworks.ts'

/** Sentences as they stand in reports, in our own words: the id of the technique, the sentence, and other ids that fit as well. */
const labelled = readFileSync(join(root, 'test/text-analysis/labelled-sentences.tsv'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [id = '', sentence = '', others = ''] = line.split('\t')
    return { ids: [id, ...others.split(',').filter(Boolean)], sentence }
  })

/** The technique is among the first five for this share of the sentences. Measured: 0.875 with all three matrices. */
const SHARE = 0.7

async function suggested(text: string): Promise<{ ids: string[]; notes: string[] }> {
  const { status, body } = await corvus.call('POST', 'text-analysis', { data: { text } })
  assert.equal(status, 200, JSON.stringify(body))
  return { ids: body.data.attacks.map(({ technique }: { technique: string }) => technique), notes: body.data.notes }
}

/** How often the technique is the first, and among the first five. */
async function shares(): Promise<{ one: number; five: number }> {
  const right = { one: 0, five: 0 }
  for (const { ids, sentence } of labelled) {
    const place = (await suggested(sentence)).ids.findIndex((id) => ids.includes(id))
    if (place === 0) right.one++
    if (place >= 0 && place < 5) right.five++
  }
  return { one: right.one / labelled.length, five: right.five / labelled.length }
}

test('there are enough labelled sentences, of many techniques, and none twice', () => {
  assert.ok(labelled.length >= 200)
  assert.ok(new Set(labelled.map(({ ids }) => ids[0])).size >= 80)
  assert.equal(new Set(labelled.map(({ sentence }) => sentence)).size, labelled.length)
})

test('what a bundle tells of the use of techniques is compared with texts, until its load is undone', async () => {
  const procedures = {
    T0801: [
      '[Plow](https://attack.mitre.org/software/S9001) watched the <code>states</code> of pumps.(Citation: Field 2020)',
    ],
    T0800: ['Harrow switched the firmware of barges.'],
  }
  const loaded = await loadBundle(bundleOf({ ...(await shippedContent('ics-attack')), procedures }))
  const text = 'On Sunday, the intruders watched what states the pumps were in.'
  const { body } = await corvus.call('POST', 'text-analysis', { data: { text } })
  const [first] = body.data.attacks
  assert.equal(first.technique, 'T0801')
  assert.deepEqual(first.found_by, ['text'])
  assert.deepEqual(
    [first.evidence[0].start, first.evidence[0].end, first.evidence[0].similar_to],
    [0, text.length, 'Plow watched the states of pumps.'],
  )
  assert.deepEqual(body.data.notes, [])
  assert.equal((await undo(loaded.id)).status, 200)
  assert.equal((await suggested(text)).notes.length, 1)
})

test('with the texts of ATT&CK 18.1, the technique is among the first five', {
  skip: skipWithoutSamples,
}, async (t) => {
  const before = await shares()
  t.diagnostic(`with names only: ${before.five.toFixed(3)} among the first five`)
  for (const matrix of isThorough ? ['enterprise-attack', 'mobile-attack', 'ics-attack'] : ['enterprise-attack']) {
    const document = brotliDecompressSync(readFileSync(join(SAMPLES, 'attack-versions', `${matrix}-18.1.json.br`)))
    await loadBundle(document, '18.1')
  }
  const { notes } = await suggested('They sent a mail.')
  assert.deepEqual(notes, [])
  const { one, five } = await shares()
  t.diagnostic(`with texts: ${one.toFixed(3)} at rank 1, ${five.toFixed(3)} among the first five`)
  assert.ok(five >= SHARE, `${five}`)
  assert.ok(five > before.five)
})
