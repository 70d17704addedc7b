import { COUNTRY_CODES } from '../countries.ts'
import type { ObservableDefinition } from '../definition.ts'

export const countryCode = {
  type: 'country-code',
  form: 'a country code of ISO 3166-1 such as NL, two letters',
  maximum: 2,
  normalise: countryOf,
  examples: {
    good: [
      ['NL', 'NL'],
      [' nl ', 'NL'],
      ['xk', 'XK'],
      ['uk', 'GB'],
    ],
    bad: ['', 'N', 'NLD', 'ZZ', 'XX', '31', 'Netherlands'],
  },
} as const satisfies ObservableDefinition

function countryOf(text: string): string | undefined {
  const code = text.toUpperCase()
  // ISO 3166-1 keeps UK free for the country whose code is GB.
  if (code === 'UK') return 'GB'
  return COUNTRY_CODES.has(code) ? code : undefined
}
