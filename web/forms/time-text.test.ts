import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayOf, inUtc, isTime, withDay } from './time-text.ts'

test('times are parsed as the API parses them', () => {
  assert.equal(inUtc('2024-01-29'), '2024-01-29 00:00 UTC')
  assert.equal(inUtc('2024-01-29 07:42'), '2024-01-29 07:42 UTC')
  assert.equal(inUtc('2024-01-29T07:42:07.059329+02:00'), '2024-01-29 05:42 UTC')
  for (const text of ['', 'now', '2024-13-01', '2024-02-30', '2024-01-29T25:00', '29.1.2024'])
    assert.equal(isTime(text), false, text)
})

test('choosing another day keeps the time', () => {
  assert.equal(withDay('2024-01-29T07:42:07Z', '2025-02-03'), '2025-02-03T07:42:07Z')
  assert.equal(withDay('', '2025-02-03'), '2025-02-03T00:00:00Z')
  assert.equal(dayOf('2024-01-29T07:42:07Z'), '2024-01-29')
  assert.equal(dayOf('soon'), null)
})
