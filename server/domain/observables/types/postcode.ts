import type { ObservableDefinition } from '../definition.ts'
import { withPlainDashes } from '../spelling.ts'

export const postcode = {
  type: 'postcode',
  form: 'a postcode such as 1012 JS: letters, digits, spaces and dashes',
  maximum: 16,
  normalise: postcodeOf,
  examples: {
    good: [
      ['1012 js', '1012 JS'],
      ['SW1A  1AA', 'SW1A 1AA'],
      ['90210\u20131234', '90210-1234'],
    ],
    bad: ['', '1', '1012_JS', '-1012', '1012 - JS', 'x'.repeat(17)],
  },
} as const satisfies ObservableDefinition

function postcodeOf(text: string): string | undefined {
  const code = withPlainDashes(text).replace(/\s+/g, ' ').toUpperCase()
  return /^[A-Z\d](?:[A-Z\d]|[ -](?=[A-Z\d]))+$/.test(code) ? code : undefined
}
