import type { ObservableDefinition } from '../definition.ts'
import { wholeNumber, withPlainDashes } from '../spelling.ts'

export const cwe = {
  type: 'cwe',
  label: 'CWE',
  form: 'a CWE id such as CWE-79',
  maximum: 32,
  normalise: weaknessOf,
  looks: [{ order: 170, test: /^CWE-/i }],
  misp: ['weakness', 'External analysis'],
  examples: {
    good: [
      ['CWE-79', 'CWE-79'],
      ['cwe 079', 'CWE-79'],
      ['79', 'CWE-79'],
    ],
    bad: ['', 'CWE-', 'CWE-x', 'CWE-79.1', 'CAPEC-79'],
  },
} as const satisfies ObservableDefinition

function weaknessOf(text: string): string | undefined {
  const [, digits = ''] = /^(?:CWE[-_ ]?)?(\d{1,9})$/i.exec(withPlainDashes(text)) ?? []
  const number = wholeNumber(digits, 999_999_999n)
  return number && `CWE-${number}`
}
