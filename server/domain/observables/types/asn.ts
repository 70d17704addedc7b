import type { ObservableDefinition } from '../definition.ts'
import { wholeNumber, withPlainDashes } from '../spelling.ts'

export const asn = {
  type: 'asn',
  label: 'AS number',
  form: 'the number of an autonomous system such as AS64496, from 0 to 4294967295',
  maximum: 24,
  normalise: systemOf,
  looks: [{ order: 190, test: /^ASN? ?\d/i }],
  stix: (value) => ({ type: 'autonomous-system', number: Number(value.replace(/^AS/, '')) }),
  misp: ['AS', 'Network activity'],
  examples: {
    good: [
      ['AS64496', 'AS64496'],
      ['64496', 'AS64496'],
      ['as 64496', 'AS64496'],
      ['ASN64496', 'AS64496'],
      ['AS1.10', 'AS65546'],
      ['0', 'AS0'],
      ['as0004294967295', 'AS4294967295'],
    ],
    bad: ['', 'AS', 'AS4294967296', 'AS-1', 'AS65536.1', 'AS1.65536', 'AS64496 EXAMPLE', '1e3'],
  },
} as const satisfies ObservableDefinition

/** With `AS` in front, as registries and people write it: a bare number could be anything in a search. */
function systemOf(text: string): string | undefined {
  const [, high, low = ''] = /^(?:ASN?[ :#]?)?(?:(\d{1,5})\.)?(\d{1,20})$/i.exec(withPlainDashes(text)) ?? []
  if (high === undefined) return prefixed(wholeNumber(low, 4_294_967_295n))
  // The notation with a dot, high and low half: RFC 5396 asks for the plain number instead.
  const [upper, lower] = [wholeNumber(high, 65_535n), wholeNumber(low, 65_535n)]
  return upper && lower ? prefixed(String(Number(upper) * 65_536 + Number(lower))) : undefined
}

const prefixed = (number: string | undefined): string | undefined => number && `AS${number}`
