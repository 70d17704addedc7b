import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { isCounted } from '../../../test/set-up/counting.ts'
import { entityFieldNames } from '../../intelligence/entities/search-fields.ts'
import { observableFieldNames } from '../../intelligence/observables/search-fields.ts'
import { relationshipFieldNames } from '../../intelligence/relationships/search-fields.ts'
import { entityList, observableList, relationshipList } from './search-field-lists.ts'

interface SearchField {
  readonly name: string
  readonly type: string
  readonly description: string
  readonly examples: string[]
}

let corvus: Awaited<ReturnType<typeof startApp>>
let statements = 0
before(async () => {
  corvus = await startApp((statement) => {
    if (!isCounted(statement)) return
    statements++
  })
})
after(() => corvus.stop())

const fields = async (query = '', token?: string): Promise<SearchField[]> => {
  const { status, body } = await corvus.call('GET', `search/fields?${query}`, undefined, token)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}
const field = async (name: string, query = '', token?: string) =>
  (await fields(`${query}&prefix=${name}`, token)).find((own) => own.name === name)

async function make(path: string, data: object) {
  const { status, body } = await corvus.call('POST', path, { data })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}

test('the list contains every searchable field that has values of its own', () => {
  const valueless = ['data', 'meta', 'sources', 'extracts', 'extracts.meta']
  const known = entityFieldNames.filter((name) => !valueless.includes(name))
  assert.deepEqual(Object.keys(entityList).sort(), [...known].sort())
  assert.deepEqual(Object.keys(observableList).sort(), [...observableFieldNames].sort())
  assert.deepEqual(Object.keys(relationshipList).sort(), [...relationshipFieldNames].sort())
})

test('without data, the known fields are listed by name', async () => {
  for (const [collection, list] of Object.entries({
    entities: entityList,
    observables: observableList,
    relationships: relationshipList,
  })) {
    const found = await fields(`collection=${collection}`)
    assert.deepEqual(
      found.map(({ name }) => name),
      Object.keys(list).sort(),
    )
    assert.ok(found.every(({ examples }) => examples.length === 0))
  }
})

test('entity fields come with their most frequent values, including paths in documents', async () => {
  const one = {
    type: 'indicator',
    title: 'Sampled',
    confidence: 'high',
    custom: { score: 7, seen: ['2024-01-01'], is_hot: true },
  }
  const observables = [{ type: 'domain', value: 'sampled.example' }]
  const hidden = (await corvus.blindGroup('Unseen')).source
  await make('entities', { data: one, meta: { tags: ['a', 'b'] }, observables })
  await make('entities', { data: { ...one, title: 'x'.repeat(300), confidence: 'low' }, meta: { tags: ['b', 'c'] } })
  await make('entities', { data: { type: 'tool', title: 'Tool', confidence: 'low' }, meta: { tags: ['b', 'd', 'e'] } })
  await make('entities', {
    data: { type: 'tool', title: 'Secret', secret_place: 'secret value', grade: 'secret grade' },
    meta: { tags: ['secret tag'] },
    observables: [{ type: 'domain', value: 'secret.example' }],
    sources: [hidden],
  })
  const found = new Map((await fields()).map((own) => [own.name, own]))
  assert.deepEqual(found.get('tags'), {
    name: 'tags',
    type: 'keyword',
    description: 'The tags.',
    examples: ['b', 'a', 'c'],
  })
  assert.deepEqual(found.get('data.confidence'), {
    name: 'data.confidence',
    type: 'keyword',
    description: 'Found in: indicator, tool.',
    examples: ['low', 'high'],
  })
  assert.deepEqual(
    ['score', 'seen', 'is_hot'].map((name) => found.get(`data.custom.${name}`)?.type),
    ['number', 'date', 'boolean'],
  )
  assert.deepEqual(found.get('data.custom.seen')?.examples, ['2024-01-01'])
  assert.deepEqual(found.get('extracts.value')?.examples, ['sampled.example'])
  assert.equal(found.get('data.title')?.type, 'text')
  assert.ok(found.get('data.title')?.examples.includes('x'.repeat(100)))
  assert.ok(!/secret/i.test(JSON.stringify([...found.values()])), 'no invisible values')
  assert.ok([...found.values()].every(({ examples }) => examples.length <= 3))

  const token = await corvus.tokenFor(['read entities'])
  assert.deepEqual((await field('extracts.value', '', token))?.examples, [], 'observables require their own permission')
  assert.deepEqual((await field('tags', '', token))?.examples, ['b', 'a', 'c'])
})

test('fields are found by the beginning of their name', async () => {
  const names = async (prefix: string) => (await fields(`prefix=${prefix}`)).map(({ name }) => name)
  assert.deepEqual(await names('data.custom'), ['data.custom.is_hot', 'data.custom.score', 'data.custom.seen'])
  assert.deepEqual(await names('CREATED'), ['created_at'])
  assert.ok((await names('da')).includes('data.custom.score'))
  assert.deepEqual(await names('nothing'), [])
})

test('fields of observables and relationships come with their values', async () => {
  const [a, b] = [
    await make('entities', { data: { type: 'malware', title: 'a' } }),
    await make('entities', { data: { type: 'tool', title: 'b' } }),
  ]
  const sources = a.sources
  await make('observables', { type: 'ipv4', value: '192.0.2.7', meta: { maliciousness: 'high' } })
  await make('relationships', { data: { source: a.id, target: b.id, key: 'uses', grade: 3 }, sources })
  assert.deepEqual((await field('meta.maliciousness', 'collection=observables'))?.examples[0], 'high')
  assert.ok((await field('value', 'collection=observables'))?.examples.includes('192.0.2.7'))
  const found = new Map((await fields('collection=relationships')).map((own) => [own.name, own]))
  for (const [name, examples] of Object.entries({
    key: ['uses'],
    'data.key': ['uses'],
    'data.source': [a.id],
    'data.target.type': ['tool'],
    'meta.tlp_color': ['NONE'],
    'sources.name': ['Default'],
    'data.grade': ['3'],
  })) {
    assert.deepEqual(found.get(name)?.examples, examples, name)
  }
})

test('invisible objects do not push visible ones out of the sample', async () => {
  const hidden = await corvus.blindGroup('Busy elsewhere')
  const [a, b] = [
    await make('entities', { data: { type: 'malware', title: 'a' } }),
    await make('entities', { data: { type: 'tool', title: 'b' } }),
  ]
  const data = { source: a.id, target: b.id, key: 'uses', rare_place: 'seen' }
  const { id } = await make('relationships', { data, sources: a.sources })
  await corvus.pool.query(
    `insert into relationships (id, source, target, key, home, strict_stix_1, strict_stix_2, vis, data, meta, created_at)
    select gen_random_uuid(), r.source, r.target, 'key' || n, r.home, false, false, array[s.number * 8], '{}', '{}', now() + interval '1 day'
    from relationships as r, generate_series(1, 21000) as n, sources as s where r.id = $1 and s.id = $2`,
    [id, hidden.source.slice(-36)],
  )
  assert.deepEqual((await field('data.rare_place', 'collection=relationships'))?.examples, ['seen'])
})

test('an unknown collection is a 400, and observables require their permission', async () => {
  const { status, body } = await corvus.call('GET', 'search/fields?collection=users')
  assert.equal(status, 400)
  assert.match(body[0].detail, /^collection: must be one of entities, observables, relationships/)
  const token = await corvus.tokenFor(['read entities'])
  assert.equal((await corvus.call('GET', 'search/fields?collection=observables', undefined, token)).status, 403)
})

test('the number of statements is constant: one, plus one for documents and one for custom attributes', async () => {
  for (const [collection, count] of Object.entries({ entities: 3, observables: 1, relationships: 2 })) {
    statements = 0
    await fields(`collection=${collection}`)
    assert.equal(statements, count)
  }
})
