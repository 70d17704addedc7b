import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressOf } from './external-address.ts'

const reference = (url: string, external_id: string | null = 'T1') => ({ source_name: 'x', external_id, url })

test('the page of the publisher is the first reference with an id', () => {
  const references = [reference('https://blog.example/', null), reference('https://attack.example/techniques/T1')]
  assert.equal(addressOf(references), 'https://attack.example/techniques/T1')
})

test('an address that is no page is not used', () => {
  for (const url of ['javascript:alert(1)', 'data:text/html,x', 'https://a:b@bank.example/', 'nonsense', ''])
    assert.equal(addressOf([reference(url)]), undefined, url)
  assert.equal(addressOf([]), undefined)
})
