import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Chance, chanceOf } from '../../../test/visibility/chance.ts'
import type { Query } from '../../search/query/ast.ts'
import { parseQuery } from '../../search/query/parse.ts'
import { containing, term } from './leaf-queries.ts'
import { joined, leaf, not, type Written, writeQuery } from './write-query.ts'

const NAMES = ['a', 'b', 'c', 'd']

function tree(chance: Chance, depth: number): Written {
  if (depth === 0 || chance.flip(0.3)) return leaf(term('f', chance.pick(NAMES)))
  if (chance.flip(0.25)) return not(tree(chance, depth - 1))
  const members = Array.from({ length: 1 + chance.below(3) }, () => tree(chance, depth - 1))
  return joined(chance.pick(['all', 'any'] as const), members)
}

const means = (written: Written, has: (name: string) => boolean): boolean => {
  if (written.kind === 'leaf') return has((written.query as { text: string }).text)
  if (written.kind === 'not') return !means(written.member, has)
  return written.kind === 'all'
    ? written.members.every((each) => means(each, has))
    : written.members.some((each) => means(each, has))
}

/** What the search does with a query. */
const finds = (query: Query, has: (name: string) => boolean): boolean => {
  if (query.kind === 'term') return has(query.text)
  if (query.kind !== 'bool') throw new TypeError(query.kind)
  const of = (wanted: string) => query.clauses.filter(({ occur }) => occur === wanted)
  const found = (clause: { query: Query }) => finds(clause.query, has)
  const isOptional = of('must').length > 0 || of('should').length === 0
  return of('must').every(found) && (isOptional || of('should').some(found)) && !of('must_not').some(found)
}

test('a written query means what its parts mean, whatever is negated and nested', () => {
  const chance = chanceOf(7)
  for (let i = 0; i < 500; i++) {
    const written = tree(chance, 4)
    const text = writeQuery(written)
    const parsed = parseQuery(text)
    for (let bits = 0; bits < 16; bits++) {
      const has = (name: string) => ((bits >> NAMES.indexOf(name)) & 1) === 1
      assert.equal(finds(parsed, has), means(written, has), text)
    }
  }
})

test('values are read back as they are, whatever they contain', () => {
  const values = [
    '") OR *:*',
    'a b',
    'AND',
    '\\',
    '"',
    '-x',
    '*',
    'C++',
    '[a TO b]',
    '/x/',
    'é\u00a0ü',
    '<5',
    '😀',
    'a:b',
    '~',
  ]
  for (const value of values) {
    const parsed = parseQuery(writeQuery(leaf(term('tags', value))))
    assert.ok(parsed.kind === 'term' || parsed.kind === 'phrase')
    assert.deepEqual([parsed.field, parsed.text], ['tags', value])
    const part = parseQuery(writeQuery(leaf(containing('tags', value))))
    assert.ok(part.kind === 'wildcard', value)
    assert.equal(part.pattern.slice(1, -1).replaceAll(/\\([\s\S])/g, '$1'), value)
  }
})
