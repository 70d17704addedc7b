import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countOf, digestOf, numberOf, partOf, partsOf, readDocument, textOf, textsOf, warningsOf } from './document.ts'

const documentOf = (text: string) => readDocument(Buffer.from(text))

test('only JSON objects and lists are documents', () => {
  for (const [body, reason] of [
    ['', /is empty/],
    ['<html>', /web page/],
    ['{"a": ', /not valid JSON/],
    ['7', /no JSON object/],
    ['null', /no JSON object/],
  ] as const)
    assert.throws(() => documentOf(body), { name: 'DetonatorError', fault: 'unreadable', message: reason })
  assert.throws(() => readDocument(Buffer.from([0x22, 0xff, 0x22])), /not valid UTF-8/)
  assert.equal(partsOf(documentOf('[{"a": 1}, {"a": 2}]'), 'items').length, 2)
  // Deep documents do not overflow the stack.
  assert.deepEqual(partsOf(documentOf(`{"a": ${'['.repeat(200_000)}${']'.repeat(200_000)}}`), 'a'), [])
})

test('members that are inherited or come from __proto__ are none', () => {
  const document = documentOf('{"__proto__": {"name": "x"}, "a": {"__proto__": {"b": 1}}}')
  assert.equal(textOf(document, 'name'), null)
  assert.equal(textOf(document, 'toString'), null)
  assert.deepEqual(partOf(document, 'constructor').members, {})
  assert.equal(numberOf(partOf(document, 'a'), 'b'), null)
  assert.deepEqual(warningsOf(document), [])
})

test('missing members are null or empty, and wrong ones as well, with one warning for each place', () => {
  const document = documentOf('{"list": [{"n": "x"}, {"n": {}}, {"n": 7}, 5], "text": {}, "texts": ["a", 1, [], null]}')
  assert.deepEqual(
    partsOf(document, 'list').map((each) => countOf(each, 'n')),
    [null, null, 7],
  )
  assert.equal(textOf(document, 'text'), null)
  assert.deepEqual(textsOf(document, 'texts'), ['a', '1'])
  assert.deepEqual([textsOf(document, 'none'), partsOf(document, 'none'), textOf(document, 'none')], [[], [], null])
  assert.deepEqual(warningsOf(document), [
    'list[] is not an object. It was left out.',
    'list[].n is not a number. It was left out.',
    'text is not a text. It was left out.',
    'texts[] is not a text. It was left out.',
  ])
})

test('texts can be stored, and digests have their length', () => {
  const document = documentOf(`{"a": "x\\u0000\\ud800", "b": "${'y'.repeat(20_000)}", "md5": "${'AB'.repeat(16)}"}`)
  assert.equal(textOf(document, 'a'), 'x\uFFFD\uFFFD')
  assert.equal(textOf(document, 'b')?.length, 10_000)
  assert.deepEqual([digestOf(document, 'md5', 32), digestOf(document, 'md5', 40)], ['ab'.repeat(16), null])
})
