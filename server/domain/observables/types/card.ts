import type { ObservableDefinition } from '../definition.ts'
import { withPlainDashes } from '../spelling.ts'

export const card = {
  type: 'card',
  form: 'the number of a payment card, 12 to 19 digits of which the last one checks the others',
  maximum: 40,
  normalise: cardOf,
  looks: [{ order: 310, test: /^[3-6]\d{3}(?:[ -]?\d{2,6}){2,4}$/ }],
  display: maskCard,
  misp: ['cc-number', 'Financial fraud'],
  examples: {
    good: [
      ['4111111111111111', '4111111111111111'],
      ['4111 1111-1111 1111', '4111111111111111'],
      ['378282246310005', '378282246310005'],
    ],
    bad: ['', '4111111111111112', '42', '0000000000000000', '4111x1111x1111x1111', '41111111111111111111'],
  },
} as const satisfies ObservableDefinition

function cardOf(text: string): string | undefined {
  const digits = withPlainDashes(text).replace(/[\s-]/g, '')
  return /^\d{12,19}$/.test(digits) && !/^0+$/.test(digits) && hasCheckDigit(digits) ? digits : undefined
}

/** Whether the last digit is the one that ISO/IEC 7812 (Luhn) computes from the others. */
function hasCheckDigit(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, i) => {
    const value = i % 2 === 0 ? Number(digit) : Number(digit) * 2
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

/** The number of a payment card as it may be shown: the first six and the last four digits. */
export function maskCard(value: string): string {
  // Anything shorter than a card would show itself between the two ends.
  if (value.length < 12) return '*'.repeat(value.length)
  return `${value.slice(0, 6)}${'*'.repeat(value.length - 10)}${value.slice(-4)}`
}
