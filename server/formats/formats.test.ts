import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CONTENT_TYPES, contentTypeOf } from './formats.ts'

test('every content type is found by its URN, and names, URNs and aliases are unique', () => {
  for (const type of CONTENT_TYPES) assert.equal(contentTypeOf(type.urn), type)
  assert.equal(new Set(CONTENT_TYPES.map(({ urn }) => urn)).size, CONTENT_TYPES.length)
  assert.equal(new Set(CONTENT_TYPES.map(({ name }) => name)).size, CONTENT_TYPES.length)
})

test('any vendor and any case are accepted', () => {
  for (const text of ['urn:<vendor>:json:3.2', 'urn:corvus:json:3.2', ' URN:EclecticIQ.com:JSON:3.2 ']) {
    assert.equal(contentTypeOf(text)?.urn, 'urn:eclecticiq.com:json:3.2', text)
  }
})

test('anything else is unknown', () => {
  const others = [
    '',
    'json',
    'urn:x:json:3.3',
    'urn:oasis:json:2.1',
    'urn:x:stix:json:2.1',
    'urn::json:3.2',
    'urn:a:b:json:3.2',
  ]
  for (const text of [...others, `urn:${'x'.repeat(100_000)}:json:3.2`, '__proto__']) {
    assert.equal(contentTypeOf(text), undefined, text.slice(0, 40))
  }
})
