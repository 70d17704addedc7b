import assert from 'node:assert/strict'
import { test } from 'node:test'
import { doneInWords, groupsInWords, refusedInWords } from './consolidation.ts'

const plan = {
  count: 6,
  groups: [
    { type: 'intrusion-set', contributors: 3 },
    { type: 'malware', contributors: 2 },
  ],
  refused: [{ reason: 'reports are not consolidated', count: 1 }],
}

test('a plan is put into words, one line for each type', () => {
  assert.deepEqual(groupsInWords('consolidate', plan), [
    'Intrusion set: 3 entities, which become one unified entity',
    'Malware: 2 entities, which become one unified entity',
  ])
  assert.deepEqual(groupsInWords('deconsolidate', plan), ['Intrusion set: 3 contributors', 'Malware: 2 contributors'])
  assert.deepEqual(refusedInWords(plan), ['1 entity: reports are not consolidated'])
})

test('the message after an action counts entities, and the unified entities that they became', () => {
  assert.equal(doneInWords('consolidate', plan), '5 entities consolidated into 2 unified entities.')
  assert.equal(doneInWords('deconsolidate', plan), '5 entities taken out of their unified entity.')
  const one = { ...plan, groups: [{ type: 'malware', contributors: 1 }] }
  assert.equal(doneInWords('deconsolidate', one), '1 entity taken out of its unified entity.')
})
