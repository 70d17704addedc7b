import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { defang, refangValue } from './defang.ts'
import { EXAMPLES } from './examples.ts'
import { normaliseObservable } from './normalise.ts'
import { refang } from './refang.ts'
import { definitionOf, OBSERVABLE_TYPES } from './types.ts'

test('every usual way of defanging is undone', () => {
  const ways: readonly (readonly [string, string])[] = [
    ['hxxp://example[.]com', 'http://example.com'],
    ['hXXps://example(.)com', 'https://example.com'],
    ['HXXP://example{.}com', 'http://example.com'],
    ['h**p://example[dot]com', 'http://example.com'],
    ['hzzzps://example(DOT)com', 'https://example.com'],
    ['hxtp://example[ dot ]com', 'http://example.com'],
    ['fxp://example{dot}com', 'ftp://example.com'],
    ['hxxp[:]//example\\.com', 'http://example.com'],
    ['hxxps[://]example^.com', 'https://example.com'],
    ['hxxp:[//]example[.]com[/]a', 'http://example.com/a'],
    ['hxxp\\[:\\]//example\\[.\\]com', 'http://example.com'],
    ['http://example[[.]]com', 'http://example.com'],
    ['someone[@]example[.]com', 'someone@example.com'],
    ['someone(at)example[.]com', 'someone@example.com'],
    ['someone[AT]example[.]com', 'someone@example.com'],
    ['2001[:]db8[:][:]1', '2001:db8::1'],
    ['192[.]0[.]2[.]1 and hxxp://example[.]org.', '192.0.2.1 and http://example.org.'],
  ]
  for (const [defanged, real] of ways) assert.equal(refang(defanged), real)
})

test('text that only looks defanged is unchanged', () => {
  for (const text of [
    'a dot b',
    'a at b',
    '[x]',
    '[...]',
    '(a.b)',
    'hxxp',
    'fxp server',
    'shxxp://',
    '[.',
    '.]',
    'a[.)b',
  ])
    assert.equal(refang(text), text)
})

test('the rest of a URI is refanged only if its beginning is defanged', () => {
  const real = (uri: string) => refangValue('uri', uri)
  assert.equal(real('hxxp://example[.]com/a[.]b(dot)c'), 'http://example.com/a.b(dot)c')
  assert.equal(real('http://example.com/a[.]b?c[at]=d\\.e'), 'http://example.com/a[.]b?c[at]=d\\.e')
  assert.equal(real('javascript:a[.]b'), 'javascript:a[.]b')
})

test('refanging twice changes nothing', () => {
  const pieces = [
    '[',
    ']',
    '(',
    ')',
    '{',
    '}',
    '.',
    'dot',
    'at',
    '@',
    ':',
    '/',
    '\\',
    '^',
    ' ',
    'hxxp',
    's',
    'x',
    '://',
  ]
  const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 20 }).map((some) => some.join(''))
  fc.assert(
    fc.property(texts, (text) => assert.equal(refang(refang(text)), refang(text))),
    { numRuns: 2_000 },
  )
})

for (const type of OBSERVABLE_TYPES.filter((each) => definitionOf(each).defanging)) {
  test(`${type}: displayed values are refanged to the original`, () => {
    const pieces = [
      '',
      '[.]',
      '(dot)',
      '[at]',
      '\\.',
      '^',
      '{',
      '}',
      '[',
      ']',
      '/',
      '?',
      '@',
      ':8080',
      '.example',
      '//',
    ]
    const values = fc
      .tuple(
        fc.constantFrom(...EXAMPLES[type].good.flat()),
        fc.array(fc.tuple(fc.nat(), fc.constantFrom(...pieces)), { maxLength: 4 }),
      )
      .map(([example, inserted]) =>
        inserted.reduce((text, [position, piece]) => {
          const at = position % (text.length + 1)
          return text.slice(0, at) + piece + text.slice(at)
        }, example),
      )
    fc.assert(
      fc.property(values, (given) => {
        const answer = normaliseObservable(type, given)
        if (!('value' in answer)) return
        assert.equal(refangValue(type, defang(type, answer.value)), answer.value)
        if (refang(answer.value) === answer.value) assert.equal(refang(defang(type, answer.value)), answer.value)
      }),
      { numRuns: 2_000 },
    )
  })
}

test('a defanged value contains nothing clickable', () => {
  assert.equal(defang('uri', 'https://example.com/a.b'), 'hxxps://example[.]com/a.b')
  assert.equal(defang('uri', 'ftp://example.com'), 'fxp://example[.]com')
  assert.equal(defang('domain', 'www.example.com'), 'www[.]example[.]com')
  assert.equal(defang('email', 'some.one@example.com'), 'some.one[@]example[.]com')
  assert.equal(defang('ipv4-cidr', '192.0.2.0/24'), '192[.]0[.]2[.]0/24')
  assert.equal(defang('ipv6', '2001:db8::1'), '2001[:]db8[:][:]1')
  assert.equal(defang('file', 'example.com'), 'example.com')
})
