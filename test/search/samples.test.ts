import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../../server/config.ts'
import { parseQuery } from '../../server/search/query/parse.ts'
import { searchableFrom } from './entity.ts'
import { evaluate } from './evaluate.ts'

interface Samples {
  readonly match: {
    readonly docs: readonly ({ readonly key: string } & Record<string, unknown>)[]
    readonly cases: readonly { readonly id: string; readonly query: string; readonly ids: readonly string[] }[]
  }
}

const file = join(root, '../shared/samples/lucene-cases.sample.json')

test('the plain evaluation finds what the samples say', { skip: !existsSync(file) }, () => {
  const { match }: Samples = JSON.parse(readFileSync(file, 'utf8'))
  const entities = match.docs.map(({ key, ...document }) => searchableFrom(key, document))
  // Names of fields with wildcards in them are not supported.
  const cases = match.cases.filter(({ query }) => !query.includes('\\*:'))
  const found = cases.map(({ id, query }) => {
    const parsed = parseQuery(query)
    return {
      id,
      query,
      ids: entities.filter((entity) => evaluate(parsed, entity, new Date())).map((entity) => entity.id),
    }
  })
  assert.deepEqual(
    found,
    cases.map(({ id, query, ids }) => ({ id, query, ids })),
  )
})
