import { type Rule, wholeNumber, withPlainDashes } from './rule.ts'
import type { ObservableType } from './types.ts'

/** Numbers in public catalogues of weaknesses and vulnerabilities. */
export const identifierRules = {
  cve: {
    form: 'a CVE id such as CVE-2014-0160, a year since 1999 and four or more digits',
    maximum: 32,
    normalise: vulnerabilityOf,
  },
  cwe: {
    form: 'a CWE id such as CWE-79',
    maximum: 32,
    normalise: weaknessOf,
  },
  cce: {
    form: 'a CCE id such as CCE-27352-4, a number and a check digit',
    maximum: 32,
    normalise: configurationOf,
  },
} as const satisfies Partial<Record<ObservableType, Rule>>

function vulnerabilityOf(text: string): string | undefined {
  const [, year, number] = /^(?:CVE[-_ ]?)?(\d{4})[-_ ](\d{4,19})$/i.exec(withPlainDashes(text)) ?? []
  return Number(year) >= 1999 ? `CVE-${year}-${number}` : undefined
}

function weaknessOf(text: string): string | undefined {
  const [, digits = ''] = /^(?:CWE[-_ ]?)?(\d{1,9})$/i.exec(withPlainDashes(text)) ?? []
  const number = wholeNumber(digits, 999_999_999n)
  return number && `CWE-${number}`
}

/** The check digit is not verified: catalogues of vendors carry ids that were made without one. */
function configurationOf(text: string): string | undefined {
  const [, number, check] = /^(?:CCE[-_ ]?)?(\d{1,12})[-_ ](\d)$/i.exec(withPlainDashes(text)) ?? []
  return number && `CCE-${number}-${check}`
}
