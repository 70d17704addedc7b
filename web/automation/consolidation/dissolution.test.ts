import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dissolutionInWords } from './dissolution.ts'

test('what deleting a policy takes apart is counted in a sentence', () => {
  assert.match(dissolutionInWords({ unified: 0, contributors: 0 }), /nothing is taken apart/)
  assert.equal(
    dissolutionInWords({ unified: 1, contributors: 2 }),
    '1 unified entity will be removed, which has 2 contributors.',
  )
  assert.equal(
    dissolutionInWords({ unified: 1200, contributors: 2500 }),
    '1,200 unified entities will be removed, which have 2,500 contributors.',
  )
})
