import type { ObservableDefinition } from '../definition.ts'
import { withPlainDashes } from '../spelling.ts'

export const cve = {
  type: 'cve',
  label: 'CVE',
  form: 'a CVE id such as CVE-2014-0160, a year since 1999 and four or more digits',
  maximum: 32,
  normalise: vulnerabilityOf,
  looks: [{ order: 160, test: /^CVE-/i }],
  misp: ['vulnerability', 'External analysis'],
  examples: {
    good: [
      ['CVE-2014-0160', 'CVE-2014-0160'],
      ['cve-2014-0160', 'CVE-2014-0160'],
      ['CVE\u20112014\u20110160', 'CVE-2014-0160'],
      ['2014-0160', 'CVE-2014-0160'],
      ['CVE-2030-1234567', 'CVE-2030-1234567'],
    ],
    bad: ['', 'CVE-2014-016', 'CVE-1998-0001', 'CVE-20140-0160', 'CVE-2014', 'CVE-2014-0160x', 'CAN-2014-0160'],
  },
} as const satisfies ObservableDefinition

function vulnerabilityOf(text: string): string | undefined {
  const [, year, number] = /^(?:CVE[-_ ]?)?(\d{4})[-_ ](\d{4,19})$/i.exec(withPlainDashes(text)) ?? []
  return Number(year) >= 1999 ? `CVE-${year}-${number}` : undefined
}
