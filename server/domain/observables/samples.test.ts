import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { guessType } from './guess.ts'
import { normaliseObservable } from './normalise.ts'
import { defang, refang, refangValue } from './refang.ts'
import { OBSERVABLE_TYPES, observableTypeOf } from './types.ts'

const shared = join(import.meta.dirname, '..', '..', '..', '..', 'shared')
const read = (path: string): string => readFileSync(join(shared, path), 'utf8')
const where = (path: string) => ({ skip: existsSync(join(shared, path)) ? false : `${path} is not here` })

interface Sample {
  readonly type: string
  readonly value: string
}

const LOAD = 'samples/load-observables.sample.ndjson'
const CASES = 'samples/ioc-cases.sample.json'
const SPECIFICATION = 'spec/2-resources.md'

test('the types are those of the specification', where(SPECIFICATION), () => {
  const [, list = ''] = /^- Observable types[^:]*: (.*)\.$/m.exec(read(SPECIFICATION)) ?? []
  assert.deepEqual(list.split(', ').sort(), [...OBSERVABLE_TYPES])
})

test('real values are taken, recognised, and come back from display', where(LOAD), () => {
  const samples = read(LOAD).trim().split('\n')
  for (const { type: name, value: given } of samples.map((line): Sample => JSON.parse(line))) {
    const type = observableTypeOf(name) ?? assert.fail(name)
    const answer = normaliseObservable(type, given)
    assert.ok('value' in answer, `${name} ${given}`)
    assert.equal(guessType(given), type, given)
    assert.equal(refangValue(type, defang(type, answer.value)), answer.value)
  }
})

test('what has to be found in texts can be stored', where(CASES), () => {
  const { cases, refang: pairs } = JSON.parse(read(CASES))
  for (const { type: name, value } of cases.flatMap(({ must }: { must: Sample[] }) => must)) {
    const type = observableTypeOf(name) ?? assert.fail(name)
    assert.ok('value' in normaliseObservable(type, value), `${name} ${value}`)
  }
  for (const { defanged, fanged } of pairs) assert.equal(refang(defanged), fanged)
})
