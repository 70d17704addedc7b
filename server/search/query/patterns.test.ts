import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { createDatabase, type TestDatabase } from '../../../test/database.ts'
import { effort } from '../../../test/effort.ts'
import { foldCase } from '../words.ts'
import { expressionTest, placesOf } from './expression-test.ts'
import { escapeLike, expressionOf, isAnything, likeOf, PatternError, wildcardTest } from './patterns.ts'
import { QueryError } from './query-error.ts'

let database: TestDatabase
before(async () => {
  database = await createDatabase()
})
after(() => database.drop())

/** Texts that a pattern matches, and texts that it does not. */
type Matches = Record<string, { readonly matching: readonly string[]; readonly others: readonly string[] }>

function assertMatches(cases: Matches, test: (pattern: string, text: string) => boolean): void {
  for (const [pattern, { matching, others }] of Object.entries(cases)) {
    for (const text of matching) assert.equal(test(pattern, text), true, `'${pattern}' matches '${text}'`)
    for (const text of others) assert.equal(test(pattern, text), false, `'${pattern}' does not match '${text}'`)
  }
}

/** The same in the database, with `like` or `~`, once the pattern is in its form. */
async function assertStored(cases: Matches, operator: 'like' | '~', formOf: (pattern: string) => string) {
  const asked = Object.entries(cases).flatMap(([pattern, { matching, others }]) =>
    [...matching, ...others].map((text) => ({
      pattern,
      text,
      form: formOf(pattern),
      expected: matching.includes(text),
    })),
  )
  const { rows } = await sql<(typeof asked)[number]>`
    select * from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb)
      as i(pattern text, text text, form text, expected boolean)
    where (text ${sql.raw(operator)} form) <> expected`.execute(database.db)
  assert.deepEqual(rows, [])
}

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

test('wildcards match here', () => {
  assertMatches(WILDCARDS, (pattern, text) => wildcardTest(pattern)(text))
})

test('wildcards match the same in the database', async () => {
  await assertStored(WILDCARDS, 'like', likeOf)
})

// An engine that goes back and tries again needs longer for each of these than the runner waits.
test('patterns that are made to take long are answered', () => {
  const text = 'a'.repeat(5_000)
  for (const pattern of ['******x', `${'*a'.repeat(50)}x`, `${'*a?'.repeat(30)}x`]) {
    assert.equal(wildcardTest(pattern)(text), false, pattern)
  }
  for (const pattern of ['(.*)*!', `${'.*'.repeat(20)}!`, '(a|a)*!', '(a+)+!', '(a?){20}a{20}!', '((a*)*)*!']) {
    assert.equal(expressionTest(pattern)(text), false, pattern)
  }
})

test('places of an expression count what is repeated as often as it is', () => {
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
    assert.equal(placesOf(pattern), places, pattern)
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

test('expressions match here what they match in an engine that goes back', () => {
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

test('only stars are anything', () => {
  for (const pattern of ['*', '***']) assert.equal(isAnything(pattern), true, pattern)
  for (const pattern of ['', '?', '*?', '\\*', '* ', 'a*', '*\n']) assert.equal(isAnything(pattern), false, pattern)
})

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

test('regular expressions match here', () => {
  assertMatches(EXPRESSIONS, (pattern, text) => expressionTest(pattern)(text))
})

test('regular expressions match the same in the database', async () => {
  await assertStored(EXPRESSIONS, '~', expressionOf)
})

test('a regular expression that cannot be understood is refused with the reason', () => {
  for (const [pattern, message] of Object.entries({
    '*': "there is nothing before '*' that it could repeat",
    'a|+': "there is nothing before '+' that it could repeat",
    '(?:a)': "there is nothing before '?' that it could repeat",
    '{2}': 'a brace must hold how often what is before it repeats',
    'a|{2}': 'a brace must hold how often what is before it repeats',
    'a{': 'a brace must hold how often what is before it repeats',
    'a{}': 'a brace must hold how often what is before it repeats',
    'a{,2}': 'a brace must hold how often what is before it repeats',
    'a{x}': 'a brace must hold how often what is before it repeats',
    'a{1, 2}': 'a brace must hold how often what is before it repeats',
    'a{12345}': 'a brace must hold how often what is before it repeats',
    'a{-1}': 'a brace must hold how often what is before it repeats',
    'a{256}': 'nothing may be repeated more than 255 times',
    'a{1,256}': 'nothing may be repeated more than 255 times',
    'a{3,2}': "'{3,2}' repeats backwards",
    ')': 'a parenthesis is closed that was not opened',
    '(a))': 'a parenthesis is closed that was not opened',
    '(a': 'a parenthesis is not closed',
    '((a)': 'a parenthesis is not closed',
    '(a\\)': 'a parenthesis is not closed',
    '[a': 'a bracket is not closed',
    '[]': 'a bracket is not closed',
    '[a\\]': 'a bracket is not closed',
    '[^]': 'a bracket is empty',
    '[c-a]': "'c-a' goes backwards",
    '[a-Z]': "'a-Z' goes backwards",
    '[Z-a]': "'Z-a' goes backwards",
    '[A-_]': "'A-_' goes backwards",
    '[İ-ş]': "'İ-ş' goes backwards",
    '[😀-ｱ]': "'😀-ｱ' goes backwards",
    '[\\]-\\[]': "']-[' goes backwards",
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

test('whatever is taken for a regular expression is one, here and in the database', async () => {
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

test('patterns are for text that is folded as they are', () => {
  for (const text of ['ΟΔΟΣ', 'İstanbul', 'STRASSE', 'Ǆ', 'a\ud800']) {
    assert.ok(wildcardTest(text)(foldCase(text)), text)
    assert.ok(expressionTest(text)(foldCase(text)), text)
    assert.equal(likeOf(text), foldCase(text), text)
  }
})
