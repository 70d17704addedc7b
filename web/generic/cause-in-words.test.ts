import assert from 'node:assert/strict'
import { test } from 'node:test'
import { causeInWords } from './cause-in-words.ts'

test('what changed an entity is named, with its page if the reader knows which it is', () => {
  assert.equal(causeInWords(null), undefined)
  assert.deepEqual(causeInWords({ kind: 'attack-upgrade', id: '7' }), {
    text: 'by another version of an attack framework',
    to: '/attack/frameworks/7',
    permission: 'read attack',
  })
  assert.equal(causeInWords({ kind: 'attack-upgrade', id: null })?.to, undefined)
  assert.equal(causeInWords({ kind: 'rule', id: '3,4' })?.to, '/entity-rules')
  assert.equal(causeInWords({ kind: 'something-new', id: '1' })?.text, 'by an automation')
})
