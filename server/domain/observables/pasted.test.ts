import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPasted } from './pasted.ts'

const told = (text: string) => readPasted(text).indicators.map(({ type, value }) => `${type} ${value}`)

test('a list is read line by line, refanged, and each thing once', () => {
  const text = 'evil[.]example\n  hxxp://evil[.]example/a?b  \r\nEVIL.example\n192.0.2.1,\n"bob[@]mail.example"\n'
  assert.deepEqual(told(text), [
    'domain evil.example',
    'uri http://evil.example/a?b',
    'ipv4 192.0.2.1',
    'email bob@mail.example',
  ])
})

test('indicators are found in sentences and tables', () => {
  assert.deepEqual(told('The server 192.0.2.7 (seen at c2.example).'), ['ipv4 192.0.2.7', 'domain c2.example'])
  assert.deepEqual(told('1;d41d8cd98f00b204e9800998ecf8427e;CVE-2024-1234'), [
    'hash-md5 d41d8cd98f00b204e9800998ecf8427e',
    'cve CVE-2024-1234',
  ])
})

test('what nothing can be made of is told', () => {
  assert.deepEqual(readPasted('hello there\n\n192.0.2.1\nhello there').unread, ['hello there'])
})
