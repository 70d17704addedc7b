import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Occur, Query } from './ast.ts'
import { parseQuery } from './parse.ts'
import { escapeText, printQuery } from './print.ts'

// Records without a prototype would not equal parsed ones.
const record = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(model, { noNullPrototype: true })

const special = '+-!():^[]"{}~*?\\/|&<>=uTO \t\n\u0085\u00a0\u3000.é中'
const unit = fc.oneof(fc.constantFrom(...special), fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }))
const anyText = fc
  .oneof(
    { weight: 5, arbitrary: fc.array(unit, { maxLength: 8 }).map((units) => units.join('')) },
    fc.constantFrom('AND', 'OR', 'NOT', 'TO', '&&', '||', '*', '>=5', 'a-b'),
  )
  .map((text) => text.replaceAll('\0', ''))
const text = anyText.filter((value) => value !== '')
const field = fc.option(
  text.filter((name) => name !== '_exists_'),
  { nil: null },
)

const plain = fc.constantFrom('a', 'Z', '9', '.', 'é', '=', '&', 'u', 'TO', '中')
const escapedUnit = unit.filter((character) => !'u\0'.includes(character)).map((character) => `\\${character}`)
const pattern = fc
  .array(fc.oneof(plain, escapedUnit, fc.constantFrom('*', '?')), { minLength: 1, maxLength: 8 })
  .map((units) => units.join(''))
  .filter((value) => {
    const wildcard = value.replaceAll(/\\[\s\S]/g, '__').search(/[*?]/)
    return wildcard !== -1 && !(wildcard === value.length - 1 && value.endsWith('*'))
  })
const regexp = fc
  .array(fc.oneof(plain, escapedUnit, fc.constantFrom(...'*?[](){}|" ')), { maxLength: 8 })
  .map((units) => units.join(''))

const end = fc.option(anyText, { nil: null })
const factor = fc.oneof(fc.nat(), fc.constantFrom(0, 0.5, 1e-7, 1.5e-9, 1e20, 2.25))

const leaf: fc.Arbitrary<Query> = fc.oneof(
  fc.constant<Query>({ kind: 'all' }),
  record({ kind: fc.constant('term' as const), field, text }),
  record({ kind: fc.constant('phrase' as const), field, text: anyText, slop: fc.nat() }),
  record({ kind: fc.constant('prefix' as const), field, text }),
  record({ kind: fc.constant('wildcard' as const), field, pattern }),
  record({
    kind: fc.constant('fuzzy' as const),
    field,
    text,
    edits: fc.constantFrom(0 as const, 1 as const, 2 as const),
  }),
  record({ kind: fc.constant('regexp' as const), field, pattern: regexp }),
  record({
    kind: fc.constant('range' as const),
    field,
    from: end,
    to: end,
    includesFrom: fc.boolean(),
    includesTo: fc.boolean(),
  }),
  record({ kind: fc.constant('exists' as const), field: text.filter((name) => name !== '*') }),
)

const { query: anyQuery } = fc.letrec<{ query: Query }>((tie) => {
  const occur = fc.constantFrom<Occur>('must', 'should', 'must_not')
  const clauses = fc
    .array(record({ occur, query: tie('query') }), { minLength: 1, maxLength: 4 })
    .filter((list) => list.length > 1 || list[0]?.occur !== 'should')
  return {
    query: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      leaf,
      record({ kind: fc.constant('bool' as const), clauses }),
      record({ kind: fc.constant('boost' as const), query: tie('query'), factor }),
    ),
  }
})

test('every query is printed so that it parses to the same query', () => {
  fc.assert(
    fc.property(anyQuery, (query) => {
      const printed = printQuery(query)
      const again = parseQuery(printed)
      assert.deepEqual(again, query)
      assert.equal(printQuery(again), printed)
    }),
    { numRuns: 5_000 },
  )
})

test('a printed query has no more escapes than it needs', () => {
  const readable = [
    'threat-actor',
    '203.0.113.7',
    'data.title:a+b',
    'tags:c2',
    'a.b:[2025-01-01T08:00:00.000Z TO now-5d}',
  ]
  for (const printed of readable) assert.equal(printQuery(parseQuery(printed)), printed)
})

test('an escaped text is always read as words', () => {
  assert.equal(escapeText('a AND (b OR c)'), 'a \\AND \\(b \\OR c\\)')
  assert.equal(escapeText('NOT ANDREW'), '\\NOT ANDREW')
  assert.equal(escapeText('<script>alert("x")</script>'), '\\<script\\>alert\\(\\"x\\"\\)\\<\\/script\\>')
  assert.equal(escapeText('plain words'), 'plain words')
  fc.assert(
    fc.property(anyText, (value) => {
      const words = value.split(/[\s\u0085]+/).filter((word) => word !== '')
      const terms = words.map((word): Query => ({ kind: 'term', field: null, text: word }))
      const read = parseQuery(escapeText(value))
      if (terms.length === 0) assert.deepEqual(read, { kind: 'all' })
      else if (terms.length === 1) assert.deepEqual(read, terms[0])
      else assert.deepEqual(read, { kind: 'bool', clauses: terms.map((query) => ({ occur: 'should', query })) })
    }),
    { numRuns: 2_000 },
  )
})
