import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { documentOf } from '../document.ts'
import { readXml } from './read-xml.ts'
import { renderXml, xml, xmlUnlessEmpty } from './write-xml.ts'
import { attributeOf } from './xml-element.ts'

test('elements are nested, undefined writes nothing, and an element can be omitted if it is empty', () => {
  const node = xml(
    'a:b',
    { c: '1', d: undefined },
    ['x', [xml('e')], undefined],
    xmlUnlessEmpty('f'),
    xmlUnlessEmpty('g', 'y'),
  )
  assert.equal(renderXml(node), '<a:b c="1">x<e/><g>y</g></a:b>')
})

test('characters that XML cannot represent are omitted and reported', () => {
  let told = 0
  assert.equal(
    renderXml(xml('a', { b: '\u0001\u000b' }, 'x\0\ud800y\uffff\t\n'), () => told++),
    '<a b="">xy\t\n</a>',
  )
  assert.equal(told, 2)
})

test('every text that XML can represent survives a round trip', async () => {
  const text = fc.string({ unit: 'binary' })
  await fc.assert(
    fc.asyncProperty(text, text, async (value, attribute) => {
      let isWhole = true
      const written = renderXml(xml('r', {}, xml('x', { a: attribute }, `[${value}]`)), () => {
        isWhole = false
      })
      const events = await Array.fromAsync(readXml(documentOf(written), (_tag, outer) => outer.length === 0))
      const element = events.find((event) => event.kind === 'element')?.element
      assert.ok(element)
      if (!isWhole) return
      assert.deepEqual(element.content.join(''), `[${value}]`)
      assert.equal(attributeOf(element, 'a'), attribute.trim())
    }),
  )
})
