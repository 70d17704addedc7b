import type { ObservableDefinition } from './definition.ts'

/** A digest: a fixed number of hexadecimal digits, in lower case. */
export const hexadecimal = (
  digits: number,
  what: string,
): Pick<ObservableDefinition, 'form' | 'maximum' | 'normalise' | 'examples'> => ({
  form: `${what}: ${digits} hexadecimal digits`,
  maximum: digits,
  normalise: (text) => (text.length === digits && /^[\da-f]+$/i.test(text) ? text.toLowerCase() : undefined),
  examples: {
    good: [
      ['0aF'.padEnd(digits, '9'), '0af'.padEnd(digits, '9')],
      [` ${'B'.repeat(digits)} `, 'b'.repeat(digits)],
    ],
    bad: ['', 'a'.repeat(digits - 1), 'a'.repeat(digits + 1), 'g'.repeat(digits), `0x${'a'.repeat(digits - 2)}`],
  },
})
