import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTurnOf } from '../../../test/effort.ts'
import { documentOf } from '../document.ts'
import { extractObservables } from './extract-observables.ts'
import { readHtml } from './read-html.ts'
import { readMarkdown } from './read-markdown.ts'

// With backtracking, a megabyte of any of these takes hours, and the test runner times out.
const DOTTED = [
  '.',
  'a.',
  '1.',
  'a.a.a.a.',
  '@',
  'a@',
  'f',
  '[',
  '[.]',
  'http://',
  'http://a.com/',
  'http://[',
  ':',
  '/',
  '\\',
]
const OTHERS = [
  ...[
    'a',
    '0',
    'a@a.',
    ']',
    '[.',
    '(',
    '{',
    '<',
    '\\.',
    '::',
    'a:',
    '//',
    '://',
    'http://a',
    'hxxp',
    'h',
    ' dot ',
    'a at ',
    '-',
  ],
  ...[
    '_',
    'CVE-2020-',
    'AS',
    '1 ',
    '+1',
    '4',
    'A1',
    'GB94 ',
    'HKLM\\',
    'HKLM\\a ',
    'C:\\a b\\',
    '\\\\a\\',
    '/etc/',
    '~/',
    '\t',
  ],
  ...[
    'Mozilla/5.0 (',
    'mutex "',
    'user-agent: ',
    'rule a {',
    'rule a { "',
    'rule a { /*',
    'alert tcp a (',
    '\n',
    '\u200b',
  ],
  ...[
    '\u4f8b',
    '\u4f8b.',
    '3:aaaaaa:',
    'ssh-rsa AAAA',
    '%a%',
    '"',
    'a.com,',
    '1.1.1.1/',
    'ja3 ',
    'deadbeef\n',
    '\ud800',
    '\0',
  ],
  ...[
    'http:\\\\a',
    '0xab',
    'bc1q',
    'ipv6:a:',
    '00:',
    'a.The',
    'http://a.b@',
    '((http://a.com/',
    '<a href="',
    '<b>',
    '&#',
    '`',
    '*',
  ],
]

test('a megabyte of dots, digits, punctuation and brackets is processed in time', () => {
  for (const piece of DOTTED) assert.ok(extractObservables(piece.repeat(2 ** 20 / piece.length)))
})

test('other repetitive input is processed in time', () => {
  for (const piece of OTHERS.filter((_, i) => isTurnOf(i)))
    assert.ok(extractObservables(piece.repeat(2 ** 17 / piece.length)))
})

test('HTML and Markdown with hostile input give a report', async () => {
  for (const piece of [...DOTTED, ...OTHERS].filter((_, i) => isTurnOf(i))) {
    if (piece === '\0') continue
    const document = documentOf(piece.repeat(2 ** 16 / piece.length), 'x')
    assert.equal((await Array.fromAsync(readHtml(document))).length, 1)
    assert.equal((await Array.fromAsync(readMarkdown(document))).length, 1)
  }
  const deep = documentOf('<div>'.repeat(100_000), 'x')
  assert.equal((await Array.fromAsync(readHtml(deep))).length, 1)
})

test('the number of observables found in endless input is limited', () => {
  const text = Array.from({ length: 30_000 }, (_, i) => `host-${i}.org`).join('\n')
  assert.equal(extractObservables(text).length, 10_000)
})
