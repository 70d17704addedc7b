import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assembled, outlineOf } from './outline.ts'
import { protectedText, restored } from './protected.ts'

const TOKEN = 'c0ffee'
const numbering = () => ({ token: TOKEN, next: 1 })
const words = (text: string) => text.split(/\s+/).filter((word) => word !== '')

/** Pieces in which texts are structured. */
const piece = fc.constantFrom(
  ...[
    'word',
    'Another sentence.',
    ' ',
    '  ',
    '\n',
    '\n\n',
    '\r\n',
    '# ',
    '- ',
    '12. ',
    '> ',
    '- [ ] ',
    '| a | b |',
    '```\n',
  ],
  ...[
    '`code`',
    '``',
    '<b>',
    '</b>',
    '<pre>',
    '</pre>',
    '<!--',
    '-->',
    '<',
    '>',
    '](http://x.example/a)',
    '[',
    '![',
    '*',
    '---',
  ],
  ...[
    '192.0.2[.]7',
    'hxxps://a[.]example/b',
    'CVE-2024-1',
    'T1566',
    'x'.repeat(70),
    '[[c0ffee-1',
    ']]',
    '\u00e9\ud83d\udc26',
    'long words '.repeat(9),
  ],
)

test('what is divided and put together again is the same text, but for wrapped lines', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join('')
      // Authors cannot know the token of a request.
      fc.pre(!text.includes(`[[${TOKEN}`))
      const kept = protectedText(text, [], numbering())
      assert.equal(restored(kept.text, TOKEN, kept.originals), text)
      const outline = outlineOf(kept.text, TOKEN)
      assert.deepEqual(words(restored(assembled(outline, outline.segments), TOKEN, kept.originals)), words(text))
    }),
    { numRuns: 500 },
  )
})

test('marks of lists, headings, quotes and tables are not part of segments, and wrapped lines are one', () => {
  const long = 'a line that is certainly longer than sixty characters and goes on'
  const { segments, parts } = outlineOf(
    `## Title\n\n> - item\n1. [x] done\n| a | b |\n${long}\nin the next.\nEnd`,
    TOKEN,
  )
  assert.deepEqual(segments, ['Title', 'item', 'done', 'a', 'b', `${long} in the next.`, 'End'])
  assert.deepEqual(parts.filter((part) => typeof part === 'string').join(''), '## \n\n> - \n1. [x] \n|  |  |\n\n')
})

test('hostile texts are divided in linear time', () => {
  for (const part of ['<a', '<', '`', '``` ', '](', '<pre>', '<!--', '- ', '> ', '[[', '<code', '| ']) {
    const text = part.repeat(200_000 / part.length)
    const kept = protectedText(text, [], numbering())
    assert.equal(restored(kept.text, TOKEN, kept.originals), text, part)
    outlineOf(kept.text, TOKEN)
  }
})
