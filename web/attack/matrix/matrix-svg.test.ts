import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Column } from './columns.ts'
import { NO_FACE } from './faces.ts'
import { scaleOf } from './heat-level.ts'
import { comparisonLegend, heatLegend } from './legend-groups.ts'
import { matrixSvg, wrap } from './matrix-svg.ts'

const column = (name: string): Column => ({
  tactic: { id: 'TA1', name: 'Access', externalId: 'TA1', techniques: [] },
  cells: [
    {
      place: { id: 'TA1:T1', name, externalId: 'T1', platforms: [], parent: null, subs: [] },
      face: { ...NO_FACE, score: 3, level: 2, gapLevel: 3, text: '3' },
      isOpen: undefined,
    },
  ],
  used: 1,
  count: 1,
})

test('a text is broken between words, and a long word within', () => {
  assert.deepEqual(wrap('one two three', 7), ['one two', 'three'])
  assert.deepEqual(wrap('abcdefghij k', 4), ['abcd', 'efgh', 'ij k'])
  assert.deepEqual(wrap('Deobfuscate/Decode Files', 16), ['Deobfuscate/', 'Decode Files'])
  assert.deepEqual(wrap('Adversary-in-the-Middle', 17), ['Adversary-in-the-', 'Middle'])
  assert.deepEqual(wrap('  ', 4), [])
})

test('every name is in the image as a whole', () => {
  const name = 'A technique with a name of many words that takes several lines'
  const { text, width } = matrixSvg([column(name)], { title: 'Everything', subtitle: '', legend: [] })
  const lines = [...text.matchAll(/font-size="10" font-weight="400"[^>]*>([^<]*)</g)].map(([, line]) => line)
  assert.ok(lines.join(' ').includes(name), lines.join('|'))
  assert.ok(width >= 600)
})

test('texts of others stay texts', () => {
  const { text } = matrixSvg([column('<script>&\u0000')], {
    title: `"><image href='x'>\u{D800}`,
    subtitle: ']]>',
    legend: comparisonLegend({ left: '<script>', right: 'B' }, { left: 1, both: 0, right: 2 }),
  })
  assert.ok(!/<script|<image/.test(text))
  assert.ok(text.includes('&lt;script&gt;&amp;'))
  assert.ok(!text.includes('\u0000') && text.isWellFormed())
})

test('an image has its legend, above the matrix and within its width', () => {
  const legend = heatLegend(scaleOf([1, 3, 9]), 'count')
  const texts = { title: 'Everything', subtitle: '' }
  const { text, width, height } = matrixSvg([column('Phishing')], { ...texts, legend })
  for (const { title, items } of legend)
    for (const label of [title, ...items.map(({ label }) => label)]) assert.ok(text.includes(`>${label}<`), label)
  assert.ok(height > matrixSvg([column('Phishing')], { ...texts, legend: [] }).height)
  const boxes = [...text.matchAll(/<rect x="([\d.]+)"[^>]*width="([\d.]+)"/g)]
  assert.ok(boxes.every(([, x, own]) => Number(x) + Number(own) <= width))
})
