import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { SAMPLES, skipWithoutSamples } from '../../../test/sample-files.ts'
import type { Query } from './ast.ts'
import { parseQuery } from './parse.ts'
import { escapeText } from './print.ts'
import { QueryError } from './query-error.ts'

interface Sample {
  readonly parse: readonly (SampleCase & { readonly id: string; readonly query: string })[]
  readonly escape: readonly { readonly input: string; readonly escaped: string }[]
}

type SampleCase = { readonly default_operator: 'OR' | 'AND'; readonly default_field: string } & (
  | { readonly expect: 'error' }
  | { readonly expect: 'parse'; readonly ast: unknown }
)

const sampleFile = join(SAMPLES, 'lucene-cases.sample.json')

test('the samples are read as they say', { skip: skipWithoutSamples }, () => {
  const { parse, escape: escapes }: Sample = JSON.parse(readFileSync(sampleFile, 'utf8'))
  for (const { id, query, default_operator: defaultOperator, default_field: field, ...sample } of parse) {
    if (sample.expect === 'error') assert.throws(() => parseQuery(query, { defaultOperator }), QueryError, id)
    else assert.deepEqual(asSample(parseQuery(query, { defaultOperator }), field), sample.ast, `${id}: ${query}`)
  }
  for (const { input, escaped } of escapes) assert.equal(escapeText(input), escaped)
})

/** A query in the notation of the samples. */
function asSample(query: Query, byDefault: string): unknown {
  if (query.kind === 'all') return { k: 'all' }
  if (query.kind === 'boost') return { k: 'boost', q: asSample(query.query, byDefault), by: query.factor }
  if (query.kind === 'bool') {
    return { k: 'bool', c: query.clauses.map((clause) => ({ o: clause.occur, q: asSample(clause.query, byDefault) })) }
  }
  const { kind: k, field } = query
  const f = field ?? byDefault
  if (query.kind === 'exists') return { k, f }
  if (query.kind === 'range') {
    return { k, f, lo: query.from, hi: query.to, li: query.includesFrom, hi_inc: query.includesTo }
  }
  if (query.kind === 'wildcard' || query.kind === 'regexp') return { k, f, v: query.pattern }
  if (query.kind === 'phrase') return { k, f, v: query.text, slop: query.slop }
  return query.kind === 'fuzzy' ? { k, f, v: query.text, edits: query.edits } : { k, f, v: query.text }
}
