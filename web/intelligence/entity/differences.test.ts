import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differences } from './differences.ts'
import { wordDifferences } from './word-differences.ts'

const version = (data: object, meta: object = {}) => ({ data: { ...data }, meta: { ...meta }, sources: ['s'] })

test('differences name the changed fields at any depth', () => {
  const before = version({ title: 'a', victims: [{ name: 'x', roles: ['r'] }], status: 'Open' }, { tags: ['a'] })
  const after = version({ title: 'b', victims: [{ name: 'y', roles: ['r'] }], count: 1 }, { tags: ['a', 'b'] })
  assert.deepEqual(differences(before, after), [
    { path: 'data.title', before: 'a', after: 'b' },
    { path: 'data.victims[0].name', before: 'x', after: 'y' },
    { path: 'data.status', before: 'Open', after: undefined },
    { path: 'data.count', before: undefined, after: 1 },
    { path: 'meta.tags', before: ['a'], after: ['a', 'b'] },
  ])
})

test('server-generated fields and equally empty values are not differences', () => {
  const before = version({ title: 'a', labels: [] }, { ingest_time: 'x', title: 'a', alias: null })
  assert.deepEqual(differences(before, version({ title: 'a' }, { ingest_time: 'y', alias: '' })), [])
})

test('texts are compared word by word', () => {
  assert.deepEqual(wordDifferences('The actor uses old tools.', 'The actor now uses new tools.'), [
    { kind: 'same', text: 'The actor ' },
    { kind: 'added', text: 'now ' },
    { kind: 'same', text: 'uses ' },
    { kind: 'removed', text: 'old' },
    { kind: 'added', text: 'new' },
    { kind: 'same', text: ' tools.' },
  ])
  assert.deepEqual(wordDifferences('', 'new'), [{ kind: 'added', text: 'new' }])
  assert.deepEqual(wordDifferences('same', 'same'), [{ kind: 'same', text: 'same' }])
})

test('both texts can be reconstructed from their differences, even without common words', () => {
  const texts = ['a b c d', 'd c b a', '', 'x'.repeat(50), Array.from({ length: 5_000 }, (_, i) => `w${i}`).join(' ')]
  for (const before of texts) {
    for (const after of texts) {
      const pieces = wordDifferences(before, after)
      const read = (kind: string) =>
        pieces.flatMap((piece) => (piece.kind === kind || piece.kind === 'same' ? [piece.text] : [])).join('')
      assert.equal(read('removed'), before)
      assert.equal(read('added'), after)
    }
  }
})
