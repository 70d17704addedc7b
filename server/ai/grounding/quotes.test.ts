import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cleaned } from '../prompting/untrusted.ts'
import { visibleText } from '../prompting/visible-text.ts'
import { findQuote } from './quotes.ts'

const found = (text: string, quote: string): string | undefined => {
  const place = findQuote(text, quote)
  return place && text.slice(place.start, place.end)
}

test('a quote is found although a model changes white space, case, marks and accents', () => {
  const text = 'In May, “Silent\u00a0 Crane”  sent\r\n**e\u2011mails** to Zürich… They used evil[.]example.'
  assert.equal(found(text, '"silent crane" sent e-mails'), 'Silent\u00a0 Crane”  sent\r\n**e\u2011mails')
  assert.equal(found(text, 'TO ZURICH. They'), 'to Zürich… They')
  assert.equal(found(text, 'used evil.example'), 'used evil[.]example')
  assert.equal(found('Cafe\u0301 noir', 'café noir'), 'Cafe\u0301 noir')
  assert.equal(found('𝐋𝐨𝐜𝐤 ﬁles', 'lock files'), '𝐋𝐨𝐜𝐤 ﬁles')
  assert.equal(found('攻撃者はEmotetを使用した', 'emotet'), 'Emotet')
})

test('other words, parts of words, and nothing at all are no quotes', () => {
  const text = 'Crane used ransomware against banks. Lоckbit is written with a Cyrillic letter.'
  for (const quote of ['Crane used ransom', 'Heron used ransomware', 'rane used', 'Lockbit', '', ' — ', '""'])
    assert.equal(findQuote(text, quote), undefined, quote)
  assert.equal(found('ransomware, ransom', 'ransom'), 'ransom')
  assert.equal(findQuote('ransomware, ransom', 'ransom')?.start, 12)
})

test('what readers do not see is no part of a text, and does not divide its words', () => {
  const text = 'Cra\u200bne <!-- Heron did it --> used \u202eRATs\u{e0041}'
  assert.equal(findQuote(text, 'Heron'), undefined)
  assert.equal(found(text, 'crane used rats'), 'Cra\u200bne <!-- Heron did it --> used \u202eRATs')
  assert.equal(findQuote('Crane <!-- Heron', 'Heron'), undefined)
})

test('tags are no words, and separate them', () => {
  const text = '<p>Silent <b class="x">Crane</b>&nbsp;sent <em>R&amp;D</em> mails.</p> a < b'
  assert.equal(found(text, 'silent crane sent R&D mails'), text.slice(3, text.indexOf('.</p>')))
  assert.equal(findQuote(text, 'class x'), undefined)
  assert.equal(found(text, '<script>Crane</script>'), 'Crane')
  assert.equal(found(text, 'a < b'), 'a < b')
})

const pieces = fc.constantFrom(
  'a',
  'B',
  'é',
  'ß',
  '𝐋',
  '漢',
  ' ',
  '\r\n',
  '\r',
  '\u200b',
  '<!--',
  '-->',
  '\0',
  '.',
  '“',
)

test('every row of words of a text is found in it, where it stands', () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), fc.nat(), fc.nat(), (parts, first, length) => {
      const text = parts.join('')
      const words = cleaned(text)
        .split(/[^\p{L}\p{N}]+/u)
        .filter((word) => word !== '')
      if (words.length === 0) return
      const from = first % words.length
      const quote = words.slice(from, from + 1 + (length % 4)).join(' ')
      const place = findQuote(text, quote)
      assert.ok(place, `${JSON.stringify(quote)} in ${JSON.stringify(text)}`)
      assert.ok(place.start >= 0 && place.start < place.end && place.end <= text.length)
    }),
  )
})

test('each character of a visible text stands in the original', () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      const original = parts.join('')
      const visible = visibleText(original)
      assert.equal(visible.text, cleaned(original))
      for (let i = 0; i < visible.text.length; i++) {
        const { start, end } = visible.originalOf(i, i + 1)
        const character = visible.text.charAt(i)
        assert.equal(end, start + 1)
        const isReplaced = character === '\n' || character === ' '
        if (!isReplaced) assert.equal(original.charAt(start), character)
      }
    }),
  )
})

test('texts and quotes made of repetitions take no quadratic time', () => {
  const text = `${'ab '.repeat(100_000)}abc`
  assert.equal(findQuote(text, `${'ab '.repeat(100)}abd`), undefined)
  assert.ok(findQuote(text, 'abc'))
})
