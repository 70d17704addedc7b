import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spellingIn } from './set-up/spellings.ts'

test('a value is recognised in every spelling', () => {
  const value = 'https://secret.example/path'
  const spelled = [
    value,
    encodeURIComponent(value),
    value.toUpperCase(),
    Buffer.from(value).toString('hex'),
    ...['', 'a', 'ab'].flatMap((before) => [
      Buffer.from(`${before}${value}and more`).toString('base64'),
      Buffer.from(`${before}${value}and more`).toString('base64url'),
    ]),
    'hxxps://secret[.]example/path',
    '5ebe2294ecd0e0f08eab7690d2a6ee69',
  ]
  const texts = [...spelled.slice(0, -1).map(() => value), 'secret']
  for (const [i, bytes] of spelled.entries()) assert.ok(spellingIn(`before ${bytes} after`, texts[i] ?? ''), bytes)
  assert.equal(spellingIn('before https://other.example/path after', value), undefined)
})
