import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { SAMPLES, skipWithoutSamples } from '../../../test/sample-files.ts'
import { defang, refangValue } from './defang.ts'
import { guessType } from './guess.ts'
import { normaliseObservable } from './normalise.ts'
import { refang } from './refang.ts'
import { OBSERVABLE_TYPES, observableTypeOf } from './types.ts'

const read = (path: string): string => readFileSync(join(SAMPLES, path), 'utf8')

interface Sample {
  readonly type: string
  readonly value: string
}

const LOAD = 'load-observables.sample.ndjson'
const CASES = 'ioc-cases.sample.json'
const SPECIFICATION = '../spec/2-resources.md'

test('every type of the specification exists', { skip: skipWithoutSamples }, () => {
  const [, list = ''] = /^- Observable types[^:]*: (.*)\.$/m.exec(read(SPECIFICATION)) ?? []
  assert.deepEqual(
    list.split(', ').filter((name) => !OBSERVABLE_TYPES.some((type) => type === name)),
    [],
  )
})

test('real values are accepted, recognised, and preserved by display', { skip: skipWithoutSamples }, () => {
  const samples = read(LOAD).trim().split('\n')
  for (const { type: name, value: given } of samples.map((line): Sample => JSON.parse(line))) {
    const type = observableTypeOf(name) ?? assert.fail(name)
    const answer = normaliseObservable(type, given)
    assert.ok('value' in answer, `${name} ${given}`)
    assert.equal(guessType(given), type, given)
    assert.equal(refangValue(type, defang(type, answer.value)), answer.value)
  }
})

test('values to find in texts can be stored', { skip: skipWithoutSamples }, () => {
  const { cases, refang: pairs } = JSON.parse(read(CASES))
  for (const { type: name, value } of cases.flatMap(({ must }: { must: Sample[] }) => must)) {
    const type = observableTypeOf(name) ?? assert.fail(name)
    assert.ok('value' in normaliseObservable(type, value), `${name} ${value}`)
  }
  for (const { defanged, fanged } of pairs) assert.equal(refang(defanged), fanged)
})
