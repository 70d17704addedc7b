import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Query } from './ast.ts'
import { boolCases } from './bool-cases.ts'
import { readCases } from './cases.ts'
import { MAX_CLAUSES, MAX_NESTING, MAX_QUERY_LENGTH, parseQuery, readQuery } from './parse.ts'
import { printQuery } from './print.ts'
import { QueryError } from './query-error.ts'
import { refusedCases } from './refused-cases.ts'
import { MAX_REGEXP_LENGTH } from './understand.ts'

const allCases = [...readCases, ...boolCases]

const term = (text: string, field: string | null = null): Query => ({ kind: 'term', field, text })

function refusal(text: string): QueryError {
  try {
    parseQuery(text)
  } catch (error) {
    assert.ok(error instanceof QueryError, `${JSON.stringify(text.slice(0, 80))}: ${error}`)
    return error
  }
  return assert.fail(`${JSON.stringify(text.slice(0, 80))} was read`)
}

test('every kind of query has the expected tree', () => {
  const field = 'a.b'
  const cases: Record<string, Query> = {
    '*': { kind: 'all' },
    word: term('word'),
    'a.b:word': term('word', field),
    'a.b:"two words"~3': { kind: 'phrase', field, text: 'two words', slop: 3 },
    'a.b:wor\\*d*': { kind: 'prefix', field, text: 'wor*d' },
    'a.b:w?r\\*d*': { kind: 'wildcard', field, pattern: 'w?r\\*d*' },
    'a.b:word~1': { kind: 'fuzzy', field, text: 'word', edits: 1 },
    'a.b:/w[ou]\\/rd/': { kind: 'regexp', field, pattern: 'w[ou]\\/rd' },
    'a.b:[1 TO *}': { kind: 'range', field, from: '1', to: null, includesFrom: true, includesTo: false },
    'a.b:>1': { kind: 'range', field, from: '1', to: null, includesFrom: false, includesTo: true },
    'a.b:<1': { kind: 'range', field, from: null, to: '1', includesFrom: true, includesTo: false },
    'a.b:*': { kind: 'exists', field },
    '_exists_:a.b': { kind: 'exists', field },
    'word^2.5': { kind: 'boost', query: term('word'), factor: 2.5 },
    '+a b -c': {
      kind: 'bool',
      clauses: [
        { occur: 'must', query: term('a') },
        { occur: 'should', query: term('b') },
        { occur: 'must_not', query: term('c') },
      ],
    },
    'x OR a.b:(c AND d)': {
      kind: 'bool',
      clauses: [
        { occur: 'should', query: term('x') },
        {
          occur: 'should',
          query: {
            kind: 'bool',
            clauses: [
              { occur: 'must', query: term('c', field) },
              { occur: 'must', query: term('d', field) },
            ],
          },
        },
      ],
    },
  }
  for (const [text, query] of Object.entries(cases)) assert.deepEqual(parseQuery(text), query, text)
})

test('every query of the table is parsed as listed', () => {
  for (const [text, printed] of allCases) assert.equal(printQuery(parseQuery(text)), printed, text)
})

test('every query of the table of refusals is refused at its column with a sentence', () => {
  for (const [text, column] of refusedCases) {
    const error = refusal(text)
    assert.deepEqual([text, error.column, error.status], [text, column, 400])
    assert.match(error.message, /^\S.*\.$/, text)
  }
})

test('no query is in the tables twice', () => {
  const texts = [...allCases, ...refusedCases].map(([text]) => text)
  assert.deepEqual([...new Set(texts)], texts)
})

test('if AND is the default, only OR makes a clause optional', () => {
  const cases = { 'a b': '+a +b', 'a OR b': 'a b', 'a b OR c': '+a b c', '-a b': '-a +b', a: 'a', 'a AND b': '+a +b' }
  for (const [text, printed] of Object.entries(cases)) {
    assert.equal(printQuery(parseQuery(text, { defaultOperator: 'AND' })), printed, text)
  }
})

test('a lenient query that does not parse is read as plain words', () => {
  const lenient = (text: string) => printQuery(parseQuery(text, { lenient: true }))
  assert.equal(lenient('a AND b'), '+a +b')
  assert.equal(lenient('http://evil.example/x'), 'http\\:\\/\\/evil.example\\/x')
  assert.equal(lenient('(a AND'), '\\(a \\AND')
  assert.equal(lenient('"a* b\\'), '\\"a\\* b\\\\')
  assert.equal(lenient('('.repeat(5_000)), '\\('.repeat(5_000))
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => lenient(text.replaceAll('\0', '')).length > 0))
})

test('a query may come in the wrapper of Elasticsearch', () => {
  const query = 'a (b'
  assert.deepEqual(readQuery('a b'), parseQuery('a b'))
  assert.deepEqual(readQuery({ query_string: { query: 'a b' } }), parseQuery('a b'))
  assert.deepEqual(readQuery({ query: { query_string: { query: 'a b' } } }), parseQuery('a b'))
  assert.deepEqual(readQuery({ query_string: { query: 'a b', default_operator: 'and' } }), parseQuery('+a +b'))
  assert.deepEqual(readQuery({ query_string: { query, lenient: true } }), parseQuery('a \\(b'))
  assert.throws(() => readQuery({ query_string: { query, lenient: false } }), QueryError)
  const others = [undefined, null, 1, [], {}, { query: 'a' }, { query_string: 'a' }, { query_string: { query: 1 } }]
  for (const value of others) assert.throws(() => readQuery(value), QueryError)
})

test('every limit is exact', () => {
  assert.deepEqual(parseQuery('a'.repeat(MAX_QUERY_LENGTH)), term('a'.repeat(MAX_QUERY_LENGTH)))
  assert.equal(refusal('a'.repeat(MAX_QUERY_LENGTH + 1)).column, MAX_QUERY_LENGTH + 1)
  const nested = (depth: number) => `${'('.repeat(depth)}a${')'.repeat(depth)}`
  assert.deepEqual(parseQuery(nested(MAX_NESTING)), term('a'))
  assert.equal(refusal(nested(MAX_NESTING + 1)).column, MAX_NESTING + 1)
  assert.deepEqual(parseQuery(`(${'(a) '.repeat(MAX_NESTING + 1)})`), parseQuery('a '.repeat(MAX_NESTING + 1)))
  assert.doesNotThrow(() => parseQuery('a '.repeat(MAX_CLAUSES)))
  assert.doesNotThrow(() => parseQuery(`(${'a '.repeat(MAX_CLAUSES / 2)})(${'a '.repeat(MAX_CLAUSES / 2)})`))
  const { status, column } = refusal('a '.repeat(MAX_CLAUSES + 1))
  assert.deepEqual([status, column], [422, 2 * MAX_CLAUSES + 1])
  assert.equal(refusal(`(${'a '.repeat(MAX_CLAUSES)})b`).status, 422)
  assert.throws(() => parseQuery('( '.repeat(MAX_CLAUSES + 1), { lenient: true }), { status: 422 })
  assert.doesNotThrow(() => parseQuery(`/${'a'.repeat(MAX_REGEXP_LENGTH)}/`))
  assert.equal(refusal(`x /${'a'.repeat(MAX_REGEXP_LENGTH + 1)}/`).column, 3)
})

test('a query from any text is printed so that it parses to the same query', () => {
  const unit = fc.constantFrom(
    ...'+-!():^"~*?\\/|&<> ab1',
    ' AND ',
    ' OR ',
    'x:',
    '[a TO b]',
    '"a"',
    '(b c)',
    '/r/',
    '\\u002a',
  )
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 12 }), (units) => {
      const query = parseQuery(units.join(''), { lenient: true })
      assert.deepEqual(parseQuery(printQuery(query)), query)
    }),
    { numRuns: 5_000 },
  )
})
