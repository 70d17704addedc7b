import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Extract, rowsIn, rowsOf } from './extracts.ts'

const extract = (
  value: string,
  classification: Extract['classification'],
  confidence: Extract['confidence'],
): Extract => ({
  kind: 'domain',
  value,
  classification,
  confidence,
  link_type: null,
})
const extracts = [
  extract('good.example', 'good', 'high'),
  extract('low.example', 'bad', 'low'),
  extract('high.example', 'bad', 'high'),
  extract('odd.example', 'unknown', 'low'),
]
const observable = (id: number, value: string, sources: readonly string[]) =>
  ({ id, type: 'domain', value, sources }) as const

test('the worst extracts come first', () => {
  assert.deepEqual(
    rowsOf(extracts, [], undefined).map((row) => row.extract.value),
    ['high.example', 'low.example', 'odd.example', 'good.example'],
  )
})

test('an extract is known if another source than that of the detonator has it', () => {
  const observables = [observable(1, 'high.example', ['own']), observable(2, 'low.example', ['own', 'feed'])]
  const rows = rowsOf(extracts, observables, 'own')
  assert.deepEqual(
    rows.map(({ observable: id, isKnown }) => [id, isKnown]),
    [
      [1, false],
      [2, true],
      [undefined, false],
      [undefined, false],
    ],
  )
  const shown = (view: string) => rowsIn(view, rows).map((row) => row.extract.value)
  assert.deepEqual(shown('bad'), ['high.example', 'low.example'])
  assert.deepEqual(shown('new'), ['high.example', 'odd.example', 'good.example'])
  assert.equal(shown('all').length, 4)
})
