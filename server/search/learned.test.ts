import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LearnedWords } from './learned.ts'

test('a word is learned once it was added', () => {
  const learned = new LearnedWords()
  assert.equal(learned.has('alpha'), false)
  learned.add('alpha')
  assert.equal(learned.has('alpha'), true)
  assert.equal(learned.has('alph'), false)
})

test('the latest hundred thousand words are kept, and the earliest of very many forgotten', () => {
  const learned = new LearnedWords()
  for (let i = 0; i < 250_000; i++) learned.add(`word${i}`)
  for (let i = 150_000; i < 250_000; i++) assert.ok(learned.has(`word${i}`))
  assert.equal(learned.has('word0'), false)
})

test('each has its own words', () => {
  new LearnedWords().add('alpha')
  assert.equal(new LearnedWords().has('alpha'), false)
})
