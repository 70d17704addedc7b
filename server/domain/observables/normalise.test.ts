import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXAMPLES } from './examples.ts'
import { normaliseObservable } from './normalise.ts'
import { OBSERVABLE_TYPES } from './types.ts'

test('every type has good and bad examples', () => {
  assert.deepEqual(Object.keys(EXAMPLES).sort(), [...OBSERVABLE_TYPES].sort())
  for (const { good, bad } of Object.values(EXAMPLES)) assert.ok(good.length > 1 && bad.length > 2)
})

for (const type of OBSERVABLE_TYPES) {
  test(`${type}: every good example is normalised`, () => {
    for (const [given, value] of EXAMPLES[type].good)
      assert.deepEqual(normaliseObservable(type, given), { value }, given)
  })

  test(`${type}: every bad example is refused with a reason`, () => {
    for (const given of EXAMPLES[type].bad) {
      const answer = normaliseObservable(type, given)
      assert.ok('fault' in answer, `${JSON.stringify(given.slice(0, 80))} became ${JSON.stringify(answer)}`)
      assert.match(answer.fault, /^must (not )?(be|contain) /)
    }
  })
}

test('a refusal says what was expected', () => {
  const fault = (type: (typeof OBSERVABLE_TYPES)[number], value: string) => normaliseObservable(type, value)
  assert.deepEqual(fault('port', '65536'), { fault: 'must be a port from 0 to 65535' })
  assert.deepEqual(fault('hash-md5', 'x'), { fault: 'must be an MD5 digest: 32 hexadecimal digits' })
  assert.deepEqual(fault('city', ' '), { fault: 'must not be empty' })
  assert.deepEqual(fault('city', 'a\0'), { fault: 'must not contain the NUL character' })
  assert.deepEqual(fault('city', 'x'.repeat(4_097)), {
    fault: 'must be a city: text without control characters; at most 4096 characters',
  })
})

test('a value of the maximum length is accepted, and a longer one is not', () => {
  assert.ok('value' in normaliseObservable('yara', 'x'.repeat(65_536)))
  assert.ok('fault' in normaliseObservable('yara', 'x'.repeat(65_537)))
  assert.ok('value' in normaliseObservable('city', 'x'.repeat(4_096)))
  assert.ok('fault' in normaliseObservable('city', 'x'.repeat(4_097)))
  assert.ok(
    'value' in normaliseObservable('domain', `${'a'.repeat(61)}.${`${'a'.repeat(63)}.`.repeat(2)}${'a'.repeat(63)}`),
  )
  assert.ok(
    'fault' in normaliseObservable('domain', `${'a'.repeat(62)}.${`${'a'.repeat(63)}.`.repeat(2)}${'a'.repeat(63)}`),
  )
})
