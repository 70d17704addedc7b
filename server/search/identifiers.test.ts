import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isIdentifier } from './identifiers.ts'

const uuid = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'

test('UUIDs and STIX ids of all versions are identifiers', () => {
  for (const prefix of [
    '',
    'indicator--',
    'x-custom-thing--',
    '{https://example.com/}indicator-',
    'example:Indicator-',
    'urn:uuid:',
  ]) {
    assert.ok(isIdentifier(prefix + uuid), prefix)
  }
  assert.ok(isIdentifier(uuid.toUpperCase()))
})

test('other strings are not', () => {
  for (const text of [
    '',
    'indicator',
    `see ${uuid}`,
    `${uuid} `,
    `https://example.com/${uuid}`,
    uuid.replace('3', 'g'),
  ]) {
    assert.ok(!isIdentifier(text), text)
  }
})
