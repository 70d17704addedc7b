import type { ObservableDefinition } from '../definition.ts'
import { withPlainDashes } from '../spelling.ts'

export const telephone = {
  type: 'telephone',
  form: 'a telephone number such as +31 20 123 4567, 3 to 15 digits, with an extension or without',
  maximum: 64,
  normalise: telephoneOf,
  looks: [{ order: 300, test: /^\+\d[\d\s().-]{6,30}$/ }],
  misp: ['phone-number', 'Person'],
  examples: {
    good: [
      ['+31 20 123 4567', '+31201234567'],
      ['0031 (20) 123-4567', '+31201234567'],
      ['+44 (0)20 7946 0958', '+442079460958'],
      ['020/123.45.67 ext. 12', '0201234567;ext=12'],
      ['tel:+1-202-555-0100;ext=5', '+12025550100;ext=5'],
      ['112', '112'],
    ],
    bad: ['', '12', '+0123456', 'phone', '+31 20 CALL ME', '1234567890123456', '++31201234567', '*#06#'],
  },
} as const satisfies ObservableDefinition

/**
 * A telephone number as digits: with a plus if it includes a country code, otherwise as it is dialled nationally, because
 * the country is unknown. An extension follows as in RFC 3966: `+31201234567;ext=12`.
 */
function telephoneOf(text: string): string | undefined {
  const plain = withPlainDashes(text).replace(/^tel:/i, '')
  const [, number = '', extension] =
    /^([+\d().\s/-]+?)(?:\s?(?:;ext=|ext\.?|extension|x|#)\s?(\d{1,8}))?$/i.exec(plain) ?? []
  // The zero in "+44 (0)20 …" is only dialled inside the country.
  const local = number.replace(/^\s?(\+|00)([\d\s]+)\(0\)/, '$1$2').replace(/[().\s/-]/g, '')
  const digits = local.replace(/^00/, '+')
  if (!/^(?:\+[1-9]\d{2,14}|\d{3,15})$/.test(digits)) return undefined
  return extension === undefined ? digits : `${digits};ext=${extension}`
}
