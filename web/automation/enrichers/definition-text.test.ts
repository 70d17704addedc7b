import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDefinition } from './definition-text.ts'

test('a JSON object is read', () => {
  assert.deepEqual(readDefinition('{"title": "A"}'), { value: { title: 'A' } })
})

test('a mistake is reported with its line, if the browser tells', () => {
  const read = readDefinition('{\n  "title": "A",\n  "types": []\n  "hosts": []\n}')
  assert.deepEqual(read, { fault: 'This is not valid JSON (line 4).' })
})

test('other JSON values are refused', () => {
  for (const text of ['[]', 'null', '"a"', '1'])
    assert.deepEqual(readDefinition(text), { fault: 'Enter a JSON object in curly brackets.' })
})
