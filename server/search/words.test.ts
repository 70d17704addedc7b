import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cutWord, foldCase, splitWords, WORD_BYTES } from './words.ts'

const segmenter = new Intl.Segmenter('und', { granularity: 'word' })

const segmented = (text: string): string[] =>
  [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment)

const ascii = fc.string({ unit: 'binary-ascii', maxLength: 60 })

// Characters that the rules of UAX #29 distinguish, so that random texts combine them.
const telling = [
  ...'aZ09__.,:;\'"-@ \n\r\t\0’‘·—“…→éßÄжЯїΣςσ中文字のカナ한국ไทยខ្មែאבعر１．，😀👩🇩🇪⚡',
  '\u0308',
  '\u200d',
  '\u00ad',
  '\ufe0f',
]

test('ASCII text is split as Intl.Segmenter splits it', () => {
  fc.assert(
    fc.property(ascii, (text) => {
      assert.deepEqual(splitWords(text), segmented(text.toLowerCase()))
      assert.deepEqual(
        splitWords(text),
        segmented(text).map((word) => word.toLowerCase()),
      )
    }),
    { numRuns: 1_000 },
  )
})

test('ASCII text of few kinds of characters is split as Intl.Segmenter splits it', () => {
  const few = fc.string({ unit: fc.constantFrom(...'aB1_.,:;\' "-'), maxLength: 12 })
  fc.assert(
    fc.property(few, (text) => assert.deepEqual(splitWords(text), segmented(text.toLowerCase()))),
    { numRuns: 1_500 },
  )
})

test('text in any script is split as Intl.Segmenter splits it', () => {
  const unit = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...telling) },
    fc.string({ unit: 'binary', maxLength: 1 }),
  )
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 40 }), (units) => {
      const text = units.join('')
      assert.deepEqual(splitWords(text), segmented(foldCase(text)))
    }),
    { numRuns: 1_000 },
  )
})

test('every Latin and Cyrillic letter and every sign, next to every kind of neighbour, is split as Intl.Segmenter splits it', () => {
  const codes = Array.from({ length: 0x2c00 }, (_, code) => code).filter((code) => code < 0x600 || code >= 0x2000)
  for (const code of codes) {
    const character = foldCase(String.fromCharCode(code))
    const text = ['a', '1', '_', '.', ':', ',', 'ж'].map((side) => `${side}${character}${side}`).join(' ')
    assert.deepEqual(splitWords(text), segmented(text), `U+${code.toString(16)}`)
  }
})

test('where a script without spaces comes and goes does not matter', () => {
  const english = 'a plain sentence about nothing in particular. '
  const text = `${english.repeat(5)}中文字${english.repeat(5)}ไทยภาษา, x.中 ${english}`
  assert.deepEqual(splitWords(text), segmented(text))
})

test('words are lower-cased, in order, with repeats', () => {
  assert.deepEqual(splitWords('The cat and THE Cat'), ['the', 'cat', 'and', 'the', 'cat'])
  assert.deepEqual(splitWords(''), [])
  assert.deepEqual(splitWords(' \n – !?'), [])
})

test('addresses, versions and abbreviations stay whole, punctuation around them does not', () => {
  assert.deepEqual(splitWords('Login from 203.0.113.7, port 4,444.'), ['login', 'from', '203.0.113.7', 'port', '4,444'])
  assert.deepEqual(splitWords("can't reach evil.example/path?q=1"), [
    "can't",
    'reach',
    'evil.example',
    'path',
    'q',
    '1',
  ])
  assert.deepEqual(splitWords('APT-C-39 drop_files C:\\temp'), ['apt', 'c', '39', 'drop_files', 'c', 'temp'])
  assert.deepEqual(splitWords('<p class="x">Hi</p>'), ['p', 'class', 'x', 'hi', 'p'])
})

test('German, Russian, Chinese, Arabic and emoji have words too', () => {
  assert.deepEqual(splitWords('Überfall in ZÜRICH: „Straße“ gesperrt'), [
    'überfall',
    'in',
    'zürich',
    'straße',
    'gesperrt',
  ])
  assert.deepEqual(splitWords('Вредоносная Программа – шифровальщик'), ['вредоносная', 'программа', 'шифровальщик'])
  assert.deepEqual(splitWords('勒索软件 报告'), segmented('勒索软件 报告'))
  assert.deepEqual(splitWords('التصيد الاحتيالي، هجوم'), ['التصيد', 'الاحتيالي', 'هجوم'])
  assert.deepEqual(splitWords('fire 🔥👩‍💻 alarm🚨!'), ['fire', 'alarm'])
})

test('all spellings of a Greek sigma are the same', () => {
  assert.deepEqual(splitWords('ΟΔΟΣ οδος οδοσ'), ['οδοσ', 'οδοσ', 'οδοσ'])
})

test('a lone surrogate becomes the replacement character', () => {
  assert.equal(foldCase('A\ud800B'), 'a\ufffdb')
})

test('a word is cut between characters, after at most 200 bytes', () => {
  assert.equal(cutWord('a'.repeat(200)), 'a'.repeat(200))
  assert.equal(cutWord('a'.repeat(201)), 'a'.repeat(200))
  assert.equal(cutWord('ж'.repeat(101)), 'ж'.repeat(100))
  assert.equal(cutWord(`a${'ж'.repeat(100)}`), `a${'ж'.repeat(99)}`)
  assert.equal(cutWord('𐐨'.repeat(51)), '𐐨'.repeat(50))
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 150 }), (text) => {
      const cut = cutWord(text)
      assert.ok(text.startsWith(cut) && cut.isWellFormed() && Buffer.byteLength(cut) <= WORD_BYTES)
      assert.ok(cut === text || Buffer.byteLength(cut) > WORD_BYTES - 4)
    }),
  )
})
