import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { guessType } from './guess.ts'
import { mayBeIndicator, readPasted } from './pasted.ts'

const read = (text: string, limits = { indicators: 100, unread: 100 }) => readPasted(text, limits)
const told = async (text: string) => (await read(text)).indicators.map(({ type, value }) => `${type} ${value}`)

test('a list is read line by line, refanged, and without duplicates', async () => {
  const text = 'evil[.]example\n  hxxp://evil[.]example/a?b  \r\nEVIL.example\n192.0.2.1,\n"bob[@]mail.example"\n'
  assert.deepEqual(await told(text), [
    'domain evil.example',
    'uri http://evil.example/a?b',
    'ipv4 192.0.2.1',
    'email bob@mail.example',
  ])
})

test('indicators are found in sentences and tables', async () => {
  assert.deepEqual(await told('The server 192.0.2.7 (seen at c2.example).'), ['ipv4 192.0.2.7', 'domain c2.example'])
  assert.deepEqual(await told('1;d41d8cd98f00b204e9800998ecf8427e;CVE-2024-1234'), [
    'hash-md5 d41d8cd98f00b204e9800998ecf8427e',
    'cve CVE-2024-1234',
  ])
})

test('unreadable lines are reported', async () => {
  assert.deepEqual((await read('hello there\n\n192.0.2.1\nhello there')).unread, ['hello there'])
})

test('reading ends at the limit', async () => {
  const text = Array.from({ length: 50 }, (_, i) => `host-${i}.example\nline ${i} says nothing`).join('\n')
  const { indicators, unread } = await read(text, { indicators: 10, unread: 5 })
  assert.deepEqual([indicators.length, unread.length], [11, 5])
})

test('no skipped plain word is an indicator', () => {
  const letter = fc.constantFrom(...'abcdefxyzLMDT0139-_.,;!?()[]{}@:/\\^~ é中。．｡=+&%#*')
  const words = fc.oneof(fc.string({ unit: letter, maxLength: 24 }), fc.string({ maxLength: 24 }))
  fc.assert(
    fc.property(words, (word) => {
      if (!mayBeIndicator(word)) assert.equal(guessType(word), undefined, word)
    }),
    { numRuns: 20_000 },
  )
})

test('other work proceeds while a text is read', async () => {
  let turns = 0
  const counting = setInterval(() => turns++, 1)
  await read('a word, 1.2.3.4.5 and another. '.repeat(10_000))
  clearInterval(counting)
  assert.ok(turns > 5, `${turns} turns`)
})
