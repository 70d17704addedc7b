import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Document, DocumentError, documentOf } from '../document.ts'
import { type IsContainer, readXml, type XmlEvent } from './read-xml.ts'
import { attributeOf, childOf, childrenOf, namespaceOf, textOf } from './xml-element.ts'
import { xmlText } from './xml-text.ts'

const rootOnly: IsContainer = (_tag, outer) => outer.length === 0

async function eventsOf(document: Document | string | Buffer, isContainer = rootOnly): Promise<XmlEvent[]> {
  const source = typeof document === 'string' || Buffer.isBuffer(document) ? documentOf(document) : document
  return Array.fromAsync(readXml(source, isContainer))
}

async function elementsOf(document: string) {
  const events = await eventsOf(document)
  return events.flatMap((event) => (event.kind === 'element' ? [event.element] : []))
}

const refusal = async (document: Document | string | Buffer, message: RegExp): Promise<void> => {
  await assert.rejects(eventsOf(document), (error) => error instanceof DocumentError && message.test(error.message))
}

test('elements inside a container come one by one, with their text, attributes and namespaces', async () => {
  const [first, second] = await elementsOf(`<?xml version="1.0" encoding="utf-16"?>
    <r xmlns="urn:a" xmlns:p="urn:b"><p:x id="p:1" p:y="2">a <![CDATA[<b>]]>&amp; c<z>d</z></p:x><x/></r>`)
  assert.ok(first && second)
  assert.deepEqual(
    [first.uri, first.name, attributeOf(first, 'id'), attributeOf(first, 'y')],
    ['urn:b', 'x', 'p:1', ''],
  )
  assert.equal(textOf(first), 'a <b>& cd')
  assert.equal(namespaceOf(first.scope, 'p'), 'urn:b')
  assert.deepEqual([second.uri, second.content, second.line], ['urn:a', [], 2])
  assert.equal(textOf(childOf(first, 'z')), 'd')
  assert.equal(childrenOf(first).length, 1)
})

test('an element is written as standalone XML with the same meaning', async () => {
  const [element] = await elementsOf(
    `<r xmlns="urn:a" xmlns:p="urn:b" xmlns:q="urn:q"><p:x id="q:1" xml:lang="en">&lt;a &amp; "b"<y xmlns:p="urn:c"><p:w/></y></p:x></r>`,
  )
  assert.ok(element)
  const text = xmlText(element)
  const [again] = await elementsOf(`<r>${text}</r>`)
  assert.ok(again)
  assert.equal(xmlText(again), text)
  assert.equal(namespaceOf(again.scope, 'q'), 'urn:q')
  const inner = childOf(again, 'y')
  assert.deepEqual([inner?.uri, childOf(inner, 'w')?.uri], ['urn:a', 'urn:c'])
})

test('single-byte encodings are decoded according to the declaration', async () => {
  const document = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><r><x>caf\u00e9</x></r>', 'latin1')
  const [, event] = await eventsOf(document)
  assert.equal(event?.kind === 'element' && textOf(event.element), 'caf\u00e9')
})

test('memory does not depend on the size of the document', async () => {
  const piece = Buffer.from(`<x>${'y'.repeat(1000)}</x>`.repeat(1000))
  const document: Document = {
    name: '',
    size: 0,
    async *open() {
      yield Buffer.from('<r>')
      for (let i = 0; i < 120; i++) yield piece
      yield Buffer.from('</r>')
    },
  }
  let count = 0
  let most = 0
  const before = process.memoryUsage().heapUsed
  for await (const event of readXml(document, rootOnly)) {
    if (event.kind === 'element') count++
    if (count % 10_000 === 0) most = Math.max(most, process.memoryUsage().heapUsed - before)
  }
  assert.equal(count, 120_000)
  assert.ok(most < 80 * 1024 * 1024, `${most} bytes`)
})

test('hostile documents are rejected with the reason and the line', async () => {
  await refusal('<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r>&x;</r>', /line 1: .*DOCTYPE/)
  await refusal(`<!DOCTYPE r [<!ENTITY a "${'b'.repeat(100)}">]>\n<r>&a;</r>`, /DOCTYPE/)
  await refusal('<r>&unknown;</r>', /line 1, column \d+: .*entity/)
  await refusal('<a>'.repeat(100_000), /nested more than 256 levels/)
  await refusal('<r>\n\0</r>', /line 2, column \d+: /)
  await refusal('<r>&#0;</r>', /line 1, column/)
  await refusal('<r>&#xD800;</r>', /line 1, column/)
  await refusal(Buffer.from('<r>\n  \u00e9</r>', 'latin1'), /line 2, column 3: the text is not valid UTF-8/)
  await refusal(Buffer.from('<r>\xed\xa0\x80</r>', 'latin1'), /not valid UTF-8/)
  await refusal(Buffer.from('\ufeff<r/>', 'utf16le'), /UTF-16/)
  await refusal(Buffer.from('<r/>', 'utf16le'), /UTF-16/)
  await refusal('<?xml version="1.0" encoding="ebcdic-us"?><r/>', /encoding 'ebcdic-us'/)
  await refusal('', /empty/)
  await refusal('<r><x></r>', /line 1, column \d+: .*not well-formed/)
  await refusal('<r>', /not well-formed/)
  await refusal('<p:r/>', /not well-formed/)
  await refusal('<r a="1" a="2"/>', /not well-formed/)
  await refusal('no xml', /not well-formed/)
})

test('a text without an end is rejected before it fills the memory', async () => {
  const endless: Document = {
    name: '',
    size: 0,
    async *open() {
      yield Buffer.from('<r><x>')
      const text = Buffer.alloc(1024 * 1024, 'y')
      for (;;) yield text
    },
  }
  await refusal(endless, /exceeds/)
})

test('JavaScript property names have no special meaning', async () => {
  const [element] = await elementsOf(
    '<r xmlns:__proto__="urn:x"><__proto__:__proto__ __proto__="1" constructor="2"/></r>',
  )
  assert.deepEqual(
    [element?.uri, element?.name, element && attributeOf(element, '__proto__')],
    ['urn:x', '__proto__', '1'],
  )
})
