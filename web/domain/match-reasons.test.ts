import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinInWords, namesIn, REASON_KINDS, reasonInWords, reasonKindLabel } from './match-reasons.ts'

test('a shared name is put into words, for a pair and for a contributor', () => {
  const reason = { kind: 'name', value: 'fancy bear' }
  assert.equal(reasonInWords(reason), 'Both are called “fancy bear”')
  assert.equal(joinInWords(reason), 'Shares the name “fancy bear”')
})

test('two names that refer to each other are both shown', () => {
  const reason = { kind: 'names', value: 'apt28 / fancy bear' }
  assert.equal(reasonInWords(reason), 'Each title is a name of the other: “apt28” and “fancy bear”')
  assert.deepEqual(namesIn(reason), ['apt28', 'fancy bear'])
})

test('addresses in a reason are defanged', () => {
  assert.equal(reasonInWords({ kind: 'title', value: 'evil.example' }), 'Both have the title “evil[.]example”')
})

test('every kind has words without a value, and a kind that is not known has some as well', () => {
  for (const kind of [...REASON_KINDS, 'hash']) {
    for (const value of ['', null]) {
      assert.doesNotMatch(reasonInWords({ kind, value }), /“”|undefined|null|: $/)
      assert.doesNotMatch(joinInWords({ kind, value }), /“”|undefined|null|: $/)
    }
    assert.notEqual(reasonKindLabel(kind), '')
  }
})
