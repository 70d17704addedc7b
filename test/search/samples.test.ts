import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseQuery } from '../../server/search/query/parse.ts'
import { startApp } from '../app.ts'
import { SAMPLES, skipWithoutSamples } from '../sample-files.ts'
import { searchableFrom } from './entity.ts'
import { evaluate } from './evaluate.ts'

interface Samples {
  readonly match: {
    readonly docs: readonly ({ readonly key: string } & Record<string, unknown>)[]
    readonly cases: readonly { readonly id: string; readonly query: string; readonly ids: readonly string[] }[]
  }
}

const file = join(SAMPLES, 'lucene-cases.sample.json')
const read = (): Samples['match'] => JSON.parse(readFileSync(file, 'utf8')).match

test('the plain evaluation matches the samples', { skip: skipWithoutSamples }, () => {
  const { docs, cases } = read()
  const entities = docs.map(({ key, ...document }) => searchableFrom(key, document))
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

/** A sample as an entity. */
function entityOf({ key, ...document }: Samples['match']['docs'][number]) {
  const entity = { data: { id: `{urn:sample}report-${key}` } as Record<string, unknown>, meta: {} as typeof document }
  for (const [path, value] of Object.entries(document)) {
    const [part, name = ''] = path.split('.')
    entity[part as 'data' | 'meta'][name] = value
  }
  return entity
}

test('the search matches the samples', { skip: skipWithoutSamples }, async () => {
  const corvus = await startApp()
  try {
    const { docs, cases } = read()
    const { status, body } = await corvus.call('PUT', 'entities', docs.map(entityOf))
    assert.equal(status, 201, JSON.stringify(body))
    const keys = new Map<string, string>(body.data.map(({ id }: { id: string }, i: number) => [id, docs[i]?.key ?? '']))
    // New entities get default times. That a time is not known can only be set later.
    for (const [i, { id }] of body.data.entries()) {
      if (docs[i]?.['meta.estimated_threat_start_time']) continue
      const patch = { data: { meta: { estimated_threat_start_time: null } } }
      assert.equal((await corvus.call('PATCH', `entities/${id}`, patch)).status, 200)
    }
    for (const { id, query, ids } of cases) {
      const answer = await corvus.call('GET', `entities?limit=2000&query=${encodeURIComponent(query)}`)
      assert.equal(answer.status, 200, `${id} ${query} ${JSON.stringify(answer.body)}`)
      const found: string[] = answer.body.data.map((row: { id: string }) => keys.get(row.id))
      assert.deepEqual(found.sort(), [...ids].sort(), `${id}: ${query}`)
    }
  } finally {
    await corvus.stop()
  }
})
