import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { entityData, entityTypes } from '../intelligence/entities/entity-data.ts'
import { entityMeta } from '../intelligence/entities/meta.ts'
import { type DemoEntity, demoEntities, demoEntity } from './entity.ts'
import { COMMON_WORD } from './prose.ts'
import { demoTaxonomies } from './taxonomies.ts'

const sample = [...demoEntities(1, 5000)]

const wordsOf = ({ data }: DemoEntity): Set<string> =>
  new Set(`${data.title} ${data.description}`.toLowerCase().match(/[\p{L}\p{N}]+(?:['.][\p{L}\p{N}]+)*/gu))

const shareOf = (condition: (entity: DemoEntity) => boolean): number => sample.filter(condition).length / sample.length

function assertBetween(value: number, least: number, most: number): void {
  assert.ok(value >= least && value <= most, `${value} is not between ${least} and ${most}`)
}

test('the entities of a seed are the same to the byte, on every machine', () => {
  const digest = createHash('sha256')
    .update(JSON.stringify(sample.slice(0, 200)))
    .digest('hex')
  assert.equal(digest, '428155a38cdb2f4d96efcb9eea2cb01dcd6d6e4aaa6813c20ed5898c692a8a00')
})

test('an entity depends on its seed and index alone', () => {
  const word = fc.integer({ min: 0, max: 4_294_967_295 })
  fc.assert(
    fc.property(word, word, fc.integer({ min: 1, max: 5 }), (seed, index, count) => {
      const from = Math.max(0, index - count + 1)
      assert.deepEqual([...demoEntities(seed, index - from + 1, from)].at(-1), demoEntity(seed, index))
      assert.notEqual(demoEntity(seed, index).data.id, demoEntity((seed + 1) % 2 ** 32, index).data.id)
    }),
  )
})

test('entities are generated on demand', () => {
  assert.equal(demoEntities(1, 4_000_000_000).next().value?.data.id, sample[0]?.data.id)
})

test('the API accepts every entity without loss', () => {
  for (const { data, meta } of sample.slice(0, 2000)) {
    assert.deepEqual(entityData.parse(structuredClone(data)), data)
    const { estimated_observed_time: observed, ...stored } = entityMeta.parse(structuredClone(meta))
    assert.deepEqual(Object.keys({ ...stored, observed }).length, Object.keys(meta).length)
    assert.deepEqual([stored.tags, stored.tlp_color], [meta.tags, meta.tlp_color])
    assert.equal(Date.parse(observed ?? ''), Date.parse(meta.estimated_observed_time))
  }
})

test('no two entities have the same id', () => {
  const ids = new Set(sample.map(({ data }) => data.id))
  assert.equal(ids.size, sample.length)
  const form = /^\{https:\/\/corvus\.example\/\}[a-z-]+-[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/
  for (const { data } of sample) assert.match(data.id, form)
})

test('every type occurs, and nearly half are indicators', () => {
  assert.deepEqual([...new Set(sample.map(({ data }) => data.type))].sort(), [...entityTypes])
  assertBetween(
    shareOf(({ data }) => data.type === 'indicator'),
    0.42,
    0.48,
  )
  assertBetween(
    shareOf(({ data }) => data.type === 'report'),
    0.1,
    0.14,
  )
})

test('the data of an entity is two kilobytes on average, none is tiny or huge', () => {
  const sizes = sample.map(({ data }) => Buffer.byteLength(JSON.stringify(data)))
  assertBetween(sizes.reduce((sum, size) => sum + size) / sizes.length, 1900, 2000)
  assertBetween(Math.min(...sizes), 800, 1000)
  assertBetween(Math.max(...sizes), 3500, 4100)
})

test('one word is in seven of ten descriptions, and the rest of the vocabulary has a long tail', () => {
  assertBetween(
    shareOf((entity) => wordsOf(entity).has(COMMON_WORD)),
    0.67,
    0.73,
  )
  const counts = new Map<string, number>()
  for (const entity of sample) for (const word of wordsOf(entity)) counts.set(word, (counts.get(word) ?? 0) + 1)
  const once = [...counts.values()].filter((count) => count === 1).length
  assertBetween(once / counts.size, 0.4, 0.8)
})

test('new words keep appearing, two or three with every entity at first and ever fewer', () => {
  const seen = new Set<string>()
  const newWords = (from: number, to: number): number => {
    const before = seen.size
    for (const entity of sample.slice(from, to)) for (const word of wordsOf(entity)) seen.add(word)
    return (seen.size - before) / (to - from)
  }
  newWords(0, 1000)
  const [second, fifth] = [newWords(1000, 2000), newWords(2000, 5000)]
  assertBetween(second, 2, 3)
  assertBetween(fifth, 1.5, second)
})

test('every entity has one to five tags out of some two thousand, some of them everywhere', () => {
  const counts = new Map<string, number>()
  for (const { meta } of sample) {
    assertBetween(meta.tags.length, 1, 5)
    assert.equal(new Set(meta.tags).size, meta.tags.length)
    for (const tag of meta.tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  }
  assertBetween(counts.size, 1500, 2047)
  assertBetween(Math.max(...counts.values()) / sample.length, 0.2, 0.3)
})

test('none to twenty fields are custom ones of an organisation, out of forty', () => {
  const namesOf = ({ data }: DemoEntity) => Object.keys(data).filter((name) => name.startsWith('x_'))
  const counts = sample.map((entity) => namesOf(entity).length)
  assert.deepEqual([Math.min(...counts), Math.max(...counts)], [0, 20])
  assert.equal(new Set(sample.flatMap(namesOf)).size, 40)
})

test('some entities are classified, under existing paths', () => {
  const known = new Set(demoTaxonomies())
  assertBetween(
    shareOf(({ meta }) => meta.taxonomies !== undefined),
    0.2,
    0.3,
  )
  for (const { meta } of sample) assert.ok((meta.taxonomies ?? []).every((path) => known.has(path)))
})

test('times follow each other: first seen, then written about', () => {
  for (const { data, meta } of sample) {
    assert.ok(meta.estimated_threat_start_time < meta.estimated_observed_time)
    assert.equal(data.timestamp, meta.estimated_observed_time)
  }
})

test('texts are complete: no placeholder is left, no article is wrong', () => {
  for (const { data } of sample) assert.doesNotMatch(`${data.title} ${data.description}`, /[{}]|undefined|\ba [aeio]/i)
})
