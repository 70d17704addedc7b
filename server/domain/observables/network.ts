import { type Rule, wholeNumber, withPlainDashes } from './rule.ts'
import type { ObservableType } from './types.ts'

/** What names parts of networks, other than by their internet address. */
export const networkRules = {
  'mac-48': {
    form: 'a MAC address such as 00:00:5e:00:53:01, six octets',
    maximum: 17,
    normalise: (text) => octetsOf(text, 6),
  },
  'eui-64': {
    form: 'an EUI-64 such as 00:00:5e:ff:fe:00:53:01, eight octets',
    maximum: 23,
    normalise: (text) => octetsOf(text, 8),
  },
  asn: {
    form: 'the number of an autonomous system such as AS64496, from 0 to 4294967295',
    maximum: 24,
    normalise: systemOf,
  },
  port: {
    form: 'a port from 0 to 65535',
    maximum: 16,
    normalise: (text) => wholeNumber(text, 65_535n),
  },
} as const satisfies Partial<Record<ObservableType, Rule>>

/** Pairs after one separator throughout, groups of four after dots, or bare digits; written in pairs after colons. */
function octetsOf(text: string, count: number): string | undefined {
  const plain = withPlainDashes(text)
  const isSpelled =
    /^[\da-f]{2}(?:(?::[\da-f]{2})+|(?:-[\da-f]{2})+)$/i.test(plain) ||
    /^[\da-f]{4}(?:\.[\da-f]{4})+$/i.test(plain) ||
    /^[\da-f]+$/i.test(plain)
  const digits = plain.replace(/[:.-]/g, '').toLowerCase()
  if (!isSpelled || digits.length !== 2 * count) return undefined
  return digits.match(/../g)?.join(':')
}

/** With `AS` in front, as registries and people write it: a bare number could be anything in a search. */
function systemOf(text: string): string | undefined {
  const [, high, low = ''] = /^(?:ASN?[ :#]?)?(?:(\d{1,5})\.)?(\d{1,20})$/i.exec(withPlainDashes(text)) ?? []
  if (high === undefined) return prefixed(wholeNumber(low, 4_294_967_295n))
  // The notation with a dot, high and low half: RFC 5396 asks for the plain number instead.
  const [upper, lower] = [wholeNumber(high, 65_535n), wholeNumber(low, 65_535n)]
  return upper && lower ? prefixed(String(Number(upper) * 65_536 + Number(lower))) : undefined
}

const prefixed = (number: string | undefined): string | undefined => number && `AS${number}`
