import assert from 'node:assert/strict'
import { test } from 'node:test'
import { root } from '../server/config.ts'
import { faults } from './faults/registry.ts'
import { staleFaults } from './faults/stale-faults.ts'

test('every planted fault still applies to the code', () => {
  const stale = staleFaults(root, faults)
  assert.deepEqual(
    stale,
    [],
    `The code under these planted faults has changed. Find each by its description in test/faults and update its
"file", "from", "to" or "tests" to the present code; remove it only if the rule that it breaks is gone.
${stale.join('\n')}`,
  )
})

test('every planted fault changes the code', () => {
  for (const { breaks, from, to } of faults) assert.notEqual(from, to, breaks)
})
