import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { SAMPLES, skipWithoutSamples } from '../../../test/sample-files.ts'
import { entityData, entityTypes } from './entity-data.ts'
import { entityMeta } from './meta.ts'

const types: ReadonlySet<string> = new Set(entityTypes)

interface StixObject {
  readonly type: string
  readonly id: string
  readonly name?: string
  readonly confidence?: number
}

test('every STIX 2.1 object of a type of ours is the data of an entity, with nothing lost', {
  skip: skipWithoutSamples,
}, () => {
  const files = ['stix21', 'stix-pairs', 'attack', 'disarm'].flatMap((folder) =>
    globSync(join(SAMPLES, folder, '**', '*.json')),
  )
  const objects = files.flatMap((file): StixObject[] => JSON.parse(readFileSync(file, 'utf8')).objects ?? [])
  const ours = objects.filter(({ type }) => types.has(type))
  for (const { confidence, ...object } of ours) {
    // Numbers become words where STIX is read.
    const word = confidence !== undefined && { confidence: 'medium' }
    const data = { title: object.name ?? object.id, ...object, ...word }
    assert.deepEqual(entityData.parse(data), data)
  }
  assert.ok(ours.length > 1000, `${ours.length} objects`)
})

test('every entity of the load sample is accepted, with nothing lost', { skip: skipWithoutSamples }, () => {
  const lines = readFileSync(join(SAMPLES, 'load-entities.sample.ndjson'), 'utf8').trim().split('\n')
  for (const line of lines) {
    const { data, meta } = JSON.parse(line)
    assert.deepEqual(entityData.parse(data), data)
    assert.equal(entityMeta.safeParse(meta).success, true)
  }
})
