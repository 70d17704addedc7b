import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { createDatabase, type TestDatabase } from '../../../test/database.ts'
import { effort } from '../../../test/effort.ts'
import { assertMatches, assertStored, type Matches } from '../../../test/set-up/matches.ts'
import { expressionSize, expressionTest } from './expression-test.ts'
import { expressionOf, PatternError } from './patterns.ts'
import { QueryError } from './query-error.ts'

let database: TestDatabase
before(async () => {
  database = await createDatabase()
})
after(() => database.drop())

const EXPRESSIONS: Matches = {
  '': { matching: [''], others: ['a'] },
  abc: { matching: ['abc'], others: ['xabc', 'abcx', 'abc\n'] },
  'a.c': { matching: ['abc', 'a.c', 'a😀c'], others: ['ac', 'abbc'] },
  'ab*c': { matching: ['ac', 'abbc'], others: ['abab', 'a*c'] },
  'ab+c': { matching: ['abc', 'abbc'], others: ['ac', 'ababc'] },
  'ab?c': { matching: ['ac', 'abc'], others: ['abbc'] },
  'a+?': { matching: ['', 'a', 'aa'], others: ['b'] },
  'ab*?c': { matching: ['ac', 'abbc'], others: ['ab'] },
  'a{2}': { matching: ['aa'], others: ['a', 'aaa', 'a{2}'] },
  'a{2,}': { matching: ['aa', 'aaaaa'], others: ['a'] },
  'a{1,2}': { matching: ['a', 'aa'], others: ['', 'aaa'] },
  'a{0}b': { matching: ['b'], others: ['ab'] },
  'a{2}{2}': { matching: ['aaaa'], others: ['aa', 'aaa'] },
  '(ab)+': { matching: ['ab', 'abab'], others: ['', 'abb'] },
  '(a|(b|c)d)*e': { matching: ['e', 'abde', 'cdae'], others: ['be', 'ade'] },
  'a|bc': { matching: ['a', 'bc'], others: ['ac', 'abc', 'c'] },
  'a|': { matching: ['a', ''], others: ['a|'] },
  'a(|b)c': { matching: ['ac', 'abc'], others: ['a|c'] },
  '()*a': { matching: ['a'], others: [''] },
  'ABC É Σ': { matching: ['abc é σ'], others: ['ABC é σ'] },
  'İ+': { matching: ['i\u0307', 'i\u0307i\u0307'], others: ['i', 'i\u0307\u0307'] },
  '😀+': { matching: ['😀😀'], others: ['😀😁'] },
  '[a-c]+': { matching: ['abc'], others: ['abd', ''] },
  '[A-C]': { matching: ['a', 'b', 'c'], others: ['d'] },
  '[^a-c]': { matching: ['d', '^', '😀'], others: ['a', '', 'dd'] },
  '[^ABC]': { matching: ['d'], others: ['a', 'c'] },
  '[a^]': { matching: ['a', '^'], others: ['b'] },
  '[a-]': { matching: ['a', '-'], others: ['b'] },
  '[-a]': { matching: ['a', '-'], others: ['b'] },
  '[a\\-c]': { matching: ['a', '-', 'c'], others: ['b'] },
  '[\\]a]': { matching: [']', 'a'], others: ['\\'] },
  '[]a]': { matching: [']', 'a'], others: ['b', ''] },
  '[\\\\]': { matching: ['\\'], others: [']'] },
  '[\\[-\\]]': { matching: ['[', '\\', ']'], others: ['^'] },
  '[[:alpha:]]': { matching: ['[]', ':]', 'a]'], others: ['b', 'a'] },
  '[.*+?(){}|&@~#"<>]+': { matching: ['.*+?(){}|&@~#"<>'], others: ['a'] },
  '[ｱ-😀]': { matching: ['ｱ', 'ﾝ', '😀'], others: ['😁', 'a'] },
  '[0-9]{1,3}(\\.[0-9]{1,3}){3}': { matching: ['192.0.2.1'], others: ['192.0.2', '192x0x2x1'] },
  '\\.\\*\\\\': { matching: ['.*\\'], others: ['a'] },
  '\\d\\w\\A': { matching: ['dwa'], others: ['1a'] },
  '^a$': { matching: ['^a$'], others: ['a'] },
  'a~b': { matching: ['a~b'], others: ['ac', 'a'] },
  '~(ab)': { matching: ['~ab'], others: ['x', ''] },
  'a@': { matching: ['a@'], others: ['a', 'ab'] },
  'a#': { matching: ['a#'], others: ['a', ''] },
  'a&b': { matching: ['a&b'], others: ['a', 'ab'] },
  '<1-9>': { matching: ['<1-9>'], others: ['5'] },
  '"a.c"': { matching: ['"a.c"', '"abc"'], others: ['a.c'] },
  'a-b/c,}]': { matching: ['a-b/c,}]'], others: ['a'] },
}

test('a regular expression in the form of PostgreSQL', () => {
  for (const [pattern, form] of Object.entries({
    '': '^(?:)$',
    'Ab.': '^(?:ab.)$',
    'ab*': '^(?:a(?:b)*)$',
    'a+?': '^(?:(?:(?:a)+)?)$',
    '(ab|c){2,3}': '^(?:(?:(?:ab|c)){2,3})$',
    '[^A-C\\-\\]^x]': '^(?:[^a-c\\-\\]\\^x])$',
    '\\.\\d^$~@&#"<>-': '^(?:\\.d\\^\\$~@&#"<>-)$',
    'a/b': '^(?:a\\/b)$',
  })) {
    assert.equal(expressionOf(pattern), form, pattern)
  }
})

test('regular expressions match in JavaScript', () => {
  assertMatches(EXPRESSIONS, (pattern, text) => expressionTest(pattern)(text))
})

test('regular expressions match the same in the database', async () => {
  await assertStored(database.db, EXPRESSIONS, '~', expressionOf)
})

test('an invalid regular expression is refused with the reason', () => {
  for (const [pattern, message] of Object.entries({
    '*': "there is nothing to repeat before '*'",
    'a|+': "there is nothing to repeat before '+'",
    '(?:a)': "there is nothing to repeat before '?'",
    '{2}': 'a brace must follow an operand and contain a count such as {2} or {1,3}',
    'a|{2}': 'a brace must follow an operand and contain a count such as {2} or {1,3}',
    'a{': 'a brace must follow an operand and contain a count such as {2} or {1,3}',
    'a{}': 'a brace must follow an operand and contain a count such as {2} or {1,3}',
    'a{,2}': 'a brace must follow an operand and contain a count such as {2} or {1,3}',
    'a{x}': 'a brace must follow an operand and contain a count such as {2} or {1,3}',
    'a{1, 2}': 'a brace must follow an operand and contain a count such as {2} or {1,3}',
    'a{12345}': 'a brace must follow an operand and contain a count such as {2} or {1,3}',
    'a{-1}': 'a brace must follow an operand and contain a count such as {2} or {1,3}',
    'a{256}': 'a count can be at most 255',
    'a{1,256}': 'a count can be at most 255',
    'a{3,2}': "'{3,2}' has its counts in the wrong order",
    ')': 'a closing parenthesis has no opening one',
    '(a))': 'a closing parenthesis has no opening one',
    '(a': 'a parenthesis is not closed',
    '((a)': 'a parenthesis is not closed',
    '(a\\)': 'a parenthesis is not closed',
    '[a': 'a bracket is not closed',
    '[]': 'a bracket is not closed',
    '[a\\]': 'a bracket is not closed',
    '[^]': 'the brackets are empty',
    '[c-a]': "the range 'c-a' is out of order",
    '[a-Z]': "the range 'a-Z' is out of order",
    '[Z-a]': "the range 'Z-a' is out of order",
    '[A-_]': "the range 'A-_' is out of order",
    '[İ-ş]': "the range 'İ-ş' is out of order",
    '[😀-ｱ]': "the range '😀-ｱ' is out of order",
    '[\\]-\\[]': "the range ']-[' is out of order",
    'a\\': 'it ends with a backslash',
  })) {
    assert.throws(
      () => expressionOf(pattern),
      (error) => error instanceof PatternError && error.message === message,
      pattern,
    )
  }
  assert.equal(expressionOf('a{255,255}'), '^(?:(?:a){255,255})$')
})

test('every accepted regular expression is valid in JavaScript and in the database', async () => {
  const unit = fc.oneof(
    fc.constantFrom(...'aZéİ😀ς-_^$.*+?|()[]{},\\/0129~@&#"<>'),
    fc.constantFrom('{2}', '[^', 'a-z'),
  )
  const patterns = fc.sample(fc.string({ unit, maxLength: 8 }), { numRuns: 5000, seed: 1 })
  const forms = patterns.flatMap((pattern) => {
    try {
      return [expressionOf(pattern)]
    } catch (error) {
      assert.ok(error instanceof PatternError, pattern)
      return []
    }
  })
  assert.ok(forms.length > 1000, `only ${forms.length} were taken`)
  for (const form of forms) assert.doesNotThrow(() => new RegExp(form, 'u'), form)
  const { rows } = await sql<{ count: number }>`
    select count('a' ~ form)::integer as count
    from jsonb_array_elements_text(${JSON.stringify(forms)}::jsonb) as form`.execute(database.db)
  assert.equal(rows[0]?.count, forms.length)
})

// A backtracking matcher would take longer for each of these than the runner waits.
test('expressions that provoke backtracking are answered', () => {
  const text = 'a'.repeat(5_000)
  for (const pattern of ['(.*)*!', `${'.*'.repeat(20)}!`, '(a|a)*!', '(a+)+!', '(a?){20}a{20}!', '((a*)*)*!']) {
    assert.equal(expressionTest(pattern)(text), false, pattern)
  }
})

test('the size of an expression counts repetitions in full', () => {
  for (const [pattern, places] of Object.entries({
    abc: 3,
    'a.[bc]\\(': 4,
    'a*b+c?': 3,
    'a{3}': 3,
    'a{2,5}': 5,
    'a{0}': 1,
    'a{7,}': 7,
    '(ab){3}': 6,
    '((ab){3}c){2}': 14,
    'x(a|bc){10}y': 42,
  })) {
    assert.equal(expressionSize(pattern), places, pattern)
  }
})

test('an expression that is too complex is refused', () => {
  for (const pattern of ['((a{255}){255}){255}', `${'('.repeat(5_000)}a${')*'.repeat(5_000)}`]) {
    assert.throws(
      () => expressionTest(pattern),
      (error) => error instanceof QueryError && error.status === 422,
    )
  }
})

test('expressions match as in a backtracking engine', () => {
  const unit = fc.constantFrom(...'abAé.*+?|()[]{}^-\\2,', '{2}', '{1,3}', '[^a]', '[a-c]', '(a|b)')
  const pattern = fc.string({ unit, maxLength: 8 })
  const text = fc.string({ unit: fc.constantFrom(...'abcdé2-.\n😀'), maxLength: 6 })
  fc.assert(
    fc.property(pattern, text, (pattern, text) => {
      let expression: RegExp
      try {
        expression = new RegExp(expressionOf(pattern), 'su')
      } catch {
        return
      }
      assert.equal(expressionTest(pattern)(text), expression.test(text), `${pattern} on ${JSON.stringify(text)}`)
    }),
    { numRuns: effort(100_000, 10_000) },
  )
})
