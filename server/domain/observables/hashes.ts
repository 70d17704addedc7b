import { hexadecimal, type Rule } from './rule.ts'
import { keepWord } from './text.ts'
import type { ObservableType } from './types.ts'

/** Digests of files. */
export const hashRules = {
  'hash-md5': hexadecimal(32, 'an MD5 digest'),
  'hash-sha1': hexadecimal(40, 'a SHA-1 digest'),
  'hash-sha224': hexadecimal(56, 'a SHA-224 digest'),
  'hash-sha256': hexadecimal(64, 'a SHA-256 digest'),
  'hash-sha384': hexadecimal(96, 'a SHA-384 digest'),
  'hash-sha512': hexadecimal(128, 'a SHA-512 digest'),
  'hash-imphash': hexadecimal(32, 'an import hash'),
  'hash-rich-pe-header': hexadecimal(32, 'the digest of a Rich header'),
  'hash-authentihash': hexadecimal(64, 'an Authentihash'),
  'hash-ssdeep': {
    form: 'an ssdeep hash such as 3:AXGBicFlgVNhBGcL6wCrFQEv:AXGHsNhxLsr2C, block size and two parts',
    maximum: 160,
    normalise: fuzzyOf,
  },
  'hash-vhash': {
    form: 'a vhash: printable characters without white space',
    maximum: 512,
    normalise: (text) => keepWord(text.toLowerCase()),
  },
} as const satisfies Partial<Record<ObservableType, Rule>>

/** The parts are Base64 and tell cases apart; the block size is 3 doubled some times. */
function fuzzyOf(text: string): string | undefined {
  const [, size] = /^([1-9]\d{0,9}):[a-z\d+/]{0,64}:[a-z\d+/]{0,64}$/i.exec(text) ?? []
  return Number.isInteger(Math.log2(Number(size) / 3)) ? text : undefined
}
