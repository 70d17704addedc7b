import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { SAMPLES, skipWithoutSamples } from '../../../test/sample-files.ts'
import { normaliseObservable } from '../../domain/observables/normalise.ts'
import { observableTypeOf } from '../../domain/observables/types.ts'
import { extractObservables } from './extract-observables.ts'

const CASES = join(SAMPLES, 'ioc-cases.sample.json')

interface Named {
  readonly type: string
  readonly value: string
}

interface Case {
  readonly text: string
  readonly must: readonly Named[]
  readonly must_not: readonly Named[]
  readonly exact_types: readonly string[]
  readonly tier: string
}

const keyOf = ({ type, value }: Named): string => {
  const known = observableTypeOf(type) ?? assert.fail(type)
  const answer = normaliseObservable(known, value)
  return `${type} ${'value' in answer ? answer.value : value}`
}

function isSolved({ text, must, must_not, exact_types }: Case): boolean {
  const found = extractObservables(text)
  const keys = new Set(found.map(keyOf))
  const wanted = new Set(must.map(keyOf))
  return (
    wanted.isSubsetOf(keys) &&
    must_not.every((one) => !keys.has(keyOf(one))) &&
    found.every((one) => !exact_types.includes(one.type) || wanted.has(keyOf(one)))
  )
}

test('at least 95 of 100 test cases of other extractors pass', { skip: skipWithoutSamples }, () => {
  const { cases, refang }: { cases: Case[]; refang: { defanged: string; fanged: string }[] } = JSON.parse(
    readFileSync(CASES, 'utf8'),
  )
  for (const tier of ['core', 'convention']) {
    const all = cases.filter((one) => one.tier === tier)
    const solved = all.filter(isSolved)
    assert.ok(solved.length >= 0.95 * all.length, `${tier}: ${solved.length} of ${all.length}`)
  }
  for (const { defanged, fanged } of refang) {
    assert.ok(
      extractObservables(defanged).some(({ value }) => value === fanged),
      defanged,
    )
  }
})
