import assert from 'node:assert/strict'
import { test } from 'node:test'
import { credentialsIn, masked, maskedRequest } from './masked.ts'

const joined = Buffer.from('mara:pass-4711').toString('base64')
const request = { method: 'GET', url: 'https://x.example/', headers: { Authorization: `Basic ${joined}` } } as const

test('a secret is masked in the forms that requests give it', () => {
  const forms = ['a b/c"d', encodeURIComponent('a b/c"d'), 'a b/c\\"d', Buffer.from('a b/c"d').toString('base64')]
  for (const form of forms) assert.equal(masked(`<${form}>`, ['a b/c"d']), '<***>', form)
})

test('a user name and password that are sent together are masked in answers that repeat them', () => {
  const answer = JSON.stringify({ you_sent: request.headers })
  assert.ok(masked(answer, ['pass-4711']).includes(joined))
  assert.equal(masked(answer, ['pass-4711', ...credentialsIn([request])]).includes(joined), false)
})

test('requests are shown without the values of their headers', () => {
  assert.deepEqual(maskedRequest(request, []).headers, { Authorization: '***' })
})
