import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Column } from './columns.ts'
import { NO_FACE } from './faces.ts'
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
  assert.deepEqual(wrap('  ', 4), [])
})

test('every name is in the image as a whole', () => {
  const name = 'A technique with a name of many words that takes several lines'
  const { text, width } = matrixSvg([column(name)], { title: 'Everything', subtitle: '' })
  const lines = [...text.matchAll(/font-size="10" font-weight="400"[^>]*>([^<]*)</g)].map(([, line]) => line)
  assert.ok(lines.join(' ').includes(name), lines.join('|'))
  assert.ok(width >= 600)
})

test('texts of others stay texts', () => {
  const { text } = matrixSvg([column('<script>&\u0000')], { title: `"><image href='x'>\u{D800}`, subtitle: ']]>' })
  assert.ok(!/<script|<image/.test(text))
  assert.ok(text.includes('&lt;script&gt;&amp;'))
  assert.ok(!text.includes('\u0000') && text.isWellFormed())
})
