import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Marked } from 'marked'
import { linkBreaker, withoutForeignLinks, withoutLinks } from './without-links.ts'

test('links, images and elements become plain text, and nothing is lost', () => {
  const cases = [
    ['![x](https://e.example/?q=1)', '![x] (https://e.example/?q=1)'],
    ['See [1](https://e.example).', 'See [1] (https://e.example).'],
    ['[1]: https://e.example', '[1] : https://e.example'],
    ['<img src=//e.example>', '< img src=//e.example>'],
    ['<IMG/src=x>', '< IMG/src=x>'],
    ['</a><https://e.example>', '< /a>< https://e.example>'],
    ['<javascript:alert(1)>', '< javascript:alert(1)>'],
    ['a[0] [1][2] [T1059](x)', 'a[0] [1][2] [T1059] (x)'],
    ['[Convert]::FromBase64String("a<b")', '[Convert]::FromBase64String("a<b")'],
    ['<p style="background:url(//e.example)">', '< p style="background:url(//e.example)">'],
    ['<!-- x --><?x?>', '< !-- x -->< ?x?>'],
    ['<b\n  onclick=x>', '< b\n  onclick=x>'],
    [`<p${'/'.repeat(200)}style=x>`, `< p${'/'.repeat(200)}style=x>`],
    ['<details/open/ontoggle=x>', '< details/open/ontoggle=x>'],
    ['(?<name>x) <br> <br /> <hr/> </p> <article> <a-b>', '(?<name>x) <br> <br /> <hr/> </p> <article> <a-b>'],
  ]
  for (const [text = '', expected] of cases) assert.equal(withoutLinks(text), expected)
})

test('a text that arrives in pieces becomes the same', () => {
  const part = fc.constantFrom('[', ']', '(', ')', ':', '!', '<', '/', 'a', 'img', 'http', '://e', ' ', '\n', '>', '1')
  fc.assert(
    fc.property(fc.array(fc.array(part, { maxLength: 4 })), (pieces) => {
      const reader = linkBreaker()
      const read = pieces.map((piece) => reader.read(piece.join(''))).join('') + reader.end()
      assert.equal(read, withoutLinks(pieces.flat().join('')))
    }),
  )
})

// Reading all of it again with each piece takes minutes.
test('only the beginning of an element is held back', { timeout: 20_000 }, () => {
  const reader = linkBreaker()
  const pieces = ['<p', ...'/'.repeat(200_000), 'style=x>']
  const read = pieces.map((piece) => reader.read(piece)).join('') + reader.end()
  assert.equal(read, withoutLinks(pieces.join('')))
  assert.ok(read.startsWith('< p/'))
})

test('no Markdown makes a link or an image of it', () => {
  const markdown = new Marked({ gfm: false, async: false })
  const part = fc.constantFrom(
    ...[
      '[',
      ']',
      '(',
      ')',
      ':',
      '!',
      '<',
      '>',
      '/',
      '"',
      ' ',
      '\n',
      '\\',
      'a',
      'a href=//e',
      'img src=x ',
      'http://e',
      '[a]: http://e\n',
    ],
  )
  const makesLinks = (text: string) => /<(?:a|img)[\s>/]/i.test(String(markdown.parse(text)))
  assert.ok(
    makesLinks('[a](b)') && makesLinks('![a](b)') && makesLinks('<http://e>') && makesLinks('[a]\n\n[a]: http://e'),
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      assert.ok(!makesLinks(withoutLinks(parts.join(''))))
    }),
    { numRuns: 2_000 },
  )
})

test('the links of a given text stay', () => {
  const given =
    'See [it](https://own.example/a "A") and <a href="https://own.example/b">b</a>.\n\n[1]: https://own.example/c'
  const same =
    'Look at [this](https://own.example/a "A"), <a href="https://own.example/b">B</a>.\n\n[1]: https://own.example/c'
  assert.equal(withoutForeignLinks(same, given), same)
  assert.equal(withoutForeignLinks('[it](https://own.example/abc)', given), '[it] (https://own.example/abc)')
  assert.equal(
    withoutForeignLinks('<a href="https://own.example/b" onclick="x">', given),
    '< a href="https://own.example/b" onclick="x">',
  )
  assert.equal(withoutForeignLinks('![x](https://e.example/?q=1)', ''), '![x] (https://e.example/?q=1)')
})

test('a link that only begins like one of a given text is broken', () => {
  const cases = [
    ['See (          here).', '![x](          https://e.example/?q=1)'],
    ['See (\n\nhere).', '![x](\n//e.example)'],
    ['[x](https://own.example/a(b))', '[x](https://own.example/a(b)secret)'],
    ['[1]: https://own.example', '[1]: https://own.ex'],
    ['(https://own.example/a)', '[x](https://own.example/a "'],
    ['<img src=//own.example>', '<img src=//own'],
    [`[x](//own.example/${'a'.repeat(4_000)})`, `[x](//own.example/${'a'.repeat(4_000)}b)`],
  ]
  for (const [given = '', made = ''] of cases)
    assert.equal(withoutForeignLinks(made, given), withoutLinks(made), made.slice(0, 100))
  const same = 'A [b](https://own.example/a_(b)), [c](<https://own.example/c d>) and <p class="x">d</p>.'
  assert.equal(withoutForeignLinks(same, same), same)
})
