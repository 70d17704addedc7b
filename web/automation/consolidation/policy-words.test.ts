import assert from 'node:assert/strict'
import { test } from 'node:test'
import { REASON_KINDS } from '../../domain/match-reasons.ts'
import { CONSOLIDATED_TYPES } from './policy.ts'
import {
  choiceOf,
  distinctKeys,
  preferenceInWords,
  remedyOf,
  TLP_CHOICES,
  typesInWords,
  whySwitchedOff,
} from './policy-words.ts'

test('the types of all configurations are named once', () => {
  const types = [{ entity_types: ['malware', 'tool'] }, { entity_types: ['malware'] }]
  assert.equal(typesInWords(types), 'Malware, Tool')
  assert.equal(typesInWords([{ entity_types: CONSOLIDATED_TYPES }]), 'All types')
  assert.equal(
    typesInWords([{ entity_types: CONSOLIDATED_TYPES.slice(0, 5) }]),
    'Exploit target, Identity, Indicator and 2 more',
  )
  assert.equal(typesInWords([]), '')
})

test('every choice says what it means', () => {
  assert.match(choiceOf(TLP_CHOICES, 'lowest')?.meaning ?? '', /contribute nothing/)
  assert.match(preferenceInWords('Open feed'), /from Open feed/)
  assert.match(preferenceInWords(undefined), /most reliable source/)
})

test('a title is not listed once more as a shared name', () => {
  const keys = [
    { kind: 'name', value: 'loader' },
    { kind: 'title', value: 'loader' },
    { kind: 'name', value: 'dropper' },
  ]
  assert.deepEqual(distinctKeys(keys), keys.slice(1))
})

test('a switched-off key of every kind says why, and what to do', () => {
  assert.match(whySwitchedOff({ kind: 'title', members: 1200 }), /^1,200 entities share this title\. That is too many/)
  for (const kind of REASON_KINDS) assert.match(remedyOf({ kind }), /consolidated by hand/)
})
