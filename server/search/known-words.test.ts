import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KnownWords } from './known-words.ts'

test('a word is learned once it was added', () => {
  const learned = new KnownWords()
  assert.equal(learned.has('alpha'), false)
  learned.add('alpha')
  assert.equal(learned.has('alpha'), true)
  assert.equal(learned.has('alph'), false)
})

test('the latest hundred thousand words are kept, and the oldest of very many forgotten', () => {
  const learned = new KnownWords()
  for (let i = 0; i < 250_000; i++) learned.add(`word${i}`)
  for (let i = 150_000; i < 250_000; i++) assert.ok(learned.has(`word${i}`))
  assert.equal(learned.has('word0'), false)
})

test('each has its own words', () => {
  new KnownWords().add('alpha')
  assert.equal(new KnownWords().has('alpha'), false)
})
