import assert from 'node:assert/strict'
import { test } from 'node:test'
import { displayValue } from './defang.ts'
import { guessType } from './guess.ts'
import { normaliseObservable } from './normalise.ts'
import { refang } from './refang.ts'
import { OBSERVABLE_TYPES } from './types.ts'

// With backtracking, a megabyte of any of these takes hours, and the test runner times out.
const REPEATED = [
  ...['.', 'a.', '1.', '[', ']', '[.', '.]', '[.]', '\\', '\\.', '^.', ':', '::', '/', '@', 'a@', '-', '1-', '1-1,'],
  ...[' ', ' a', '\\ ', '\t\n', '0', '00:', 'f', 'AAAA', 'x ext', '(0)', 'hxxp', 'hxxp://', '%', '%65', '#', '?'],
  ...['\u0301', '\u0301\u0316', 'e\u0301', '\u00fc', '\u00fc.', '\u1100\u1161', '\u{1f600}', '\u3002', 'rule ', '{'],
]
const STARTS = ['', 'http://a', 'HKLM\\', '771,', 'rule a']

const hostile = (size: number) => REPEATED.map((piece) => piece.repeat(Math.ceil(size / piece.length)))

test('a megabyte of any text is processed', () => {
  for (const text of hostile(2 ** 20)) {
    assert.equal(refang(refang(text)), refang(text))
    guessType(text)
    for (const type of OBSERVABLE_TYPES) assert.ok(normaliseObservable(type, text))
  }
})

test('the longest values that are fully processed are processed, too', () => {
  const longest = hostile(65_000).flatMap((text) => STARTS.map((start) => start + text))
  for (const text of [...longest, ...hostile(4_000)]) {
    guessType(text)
    for (const type of OBSERVABLE_TYPES) {
      const answer = normaliseObservable(type, text)
      if ('value' in answer) displayValue(type, answer.value)
    }
  }
})

test('values that match a type except for their end are processed', () => {
  const ends = [':', ' ', '(', '\u0007', ':@example.com', ' @example.com', '@', '.', '..']
  for (const text of ends.flatMap((end) => hostile(60).map((start) => start + end))) {
    guessType(text)
    for (const type of OBSERVABLE_TYPES) assert.ok(normaliseObservable(type, text))
  }
})
