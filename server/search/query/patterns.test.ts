import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createDatabase, type TestDatabase } from '../../../test/database.ts'
import { assertMatches, assertStored, type Matches } from '../../../test/set-up/matches.ts'
import { foldCase } from '../words.ts'
import { expressionTest } from './expression-test.ts'
import { escapeLike, isAnything, likeOf, wildcardTest } from './patterns.ts'

let database: TestDatabase
before(async () => {
  database = await createDatabase()
})
after(() => database.drop())

const WILDCARDS: Matches = {
  'a*c': { matching: ['ac', 'abc', 'a\nb c', 'a*c'], others: ['', 'abcd', 'xabc', 'ab'] },
  'a?c': { matching: ['abc', 'a?c', 'a😀c', 'a\nc'], others: ['ac', 'abbc'] },
  'a**?*c': { matching: ['abc', 'abbbc'], others: ['ac'] },
  '*': { matching: ['', 'a', 'a\n'], others: [] },
  '?*': { matching: ['a', 'ab'], others: [''] },
  'A*É': { matching: ['aé', 'a é'], others: ['ae'] },
  'Σ*Σ': { matching: ['σσ', 'σaσ'], others: ['σ'] },
  'a\\*c': { matching: ['a*c'], others: ['abc', 'a\\*c'] },
  'a\\?c': { matching: ['a?c'], others: ['abc'] },
  'a\\\\*': { matching: ['a\\', 'a\\b'], others: ['a', 'a*'] },
  'a\\b': { matching: ['ab'], others: ['a\\b'] },
  'a\\': { matching: ['a\\'], others: ['a'] },
  '100%': { matching: ['100%'], others: ['100', '1000'] },
  '100%*': { matching: ['100%', '100% sure'], others: ['100', '1000'] },
  '*%': { matching: ['%', '100%'], others: ['100'] },
  '*%%*%': { matching: ['%%%', '1%%2%'], others: ['%%', '%'] },
  'a_c*': { matching: ['a_c', 'a_cd'], others: ['abc'] },
  '[^]*.+(x)|$': { matching: ['[^].+(x)|$', '[^]a.+(x)|$'], others: ['a.+(x)|$', '[^]*x'] },
}

test('a wildcard pattern in the form of LIKE', () => {
  for (const [pattern, form] of Object.entries({
    '': '',
    'Ab*c?': 'ab%c_',
    '**a***': '%a%',
    '*?*': '%_%',
    '\\*\\?': '*?',
    '\\\\*': '\\\\%',
    'a\\': 'a\\\\',
    'a%_b': 'a\\%\\_b',
    '%*': '\\%%',
    '\\%**': '\\%%',
    '*%': '%\\%',
    ΟΔΟΣ: 'οδοσ',
    '\ud800*': '\ufffd%',
  })) {
    assert.equal(likeOf(pattern), form, pattern)
  }
})

test('a text is escaped for LIKE', () => {
  assert.equal(escapeLike('100% a_b \\ *?'), '100\\% a\\_b \\\\ *?')
  assert.equal(escapeLike(''), '')
})

test('wildcards match in JavaScript', () => {
  assertMatches(WILDCARDS, (pattern, text) => wildcardTest(pattern)(text))
})

test('wildcards match the same in the database', async () => {
  await assertStored(database.db, WILDCARDS, 'like', likeOf)
})

// A backtracking matcher would take longer for each of these than the runner waits.
test('wildcard patterns that provoke backtracking are answered', () => {
  const text = 'a'.repeat(5_000)
  for (const pattern of ['******x', `${'*a'.repeat(50)}x`, `${'*a?'.repeat(30)}x`]) {
    assert.equal(wildcardTest(pattern)(text), false, pattern)
  }
})

test('only patterns of stars match everything', () => {
  for (const pattern of ['*', '***']) assert.equal(isAnything(pattern), true, pattern)
  for (const pattern of ['', '?', '*?', '\\*', '* ', 'a*', '*\n']) assert.equal(isAnything(pattern), false, pattern)
})

test('patterns are folded like the text', () => {
  for (const text of ['ΟΔΟΣ', 'İstanbul', 'STRASSE', 'Ǆ', 'a\ud800']) {
    assert.ok(wildcardTest(text)(foldCase(text)), text)
    assert.ok(expressionTest(text)(foldCase(text)), text)
    assert.equal(likeOf(text), foldCase(text), text)
  }
})
