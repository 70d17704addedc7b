import type { ObservableDefinition } from '../definition.ts'
import { withPlainDashes } from '../spelling.ts'

export const cce = {
  type: 'cce',
  label: 'CCE',
  form: 'a CCE id such as CCE-27352-4, a number and a check digit',
  maximum: 32,
  normalise: configurationOf,
  looks: [{ order: 180, test: /^CCE-/i }],
  examples: {
    good: [
      ['CCE-27352-4', 'CCE-27352-4'],
      ['cce 27352-4', 'CCE-27352-4'],
    ],
    bad: ['', 'CCE-27352', 'CCE-x-4', 'CCE-27352-44', 'CVE-2014-0160'],
  },
} as const satisfies ObservableDefinition

/** The check digit is not verified: catalogues of vendors carry ids that were made without one. */
function configurationOf(text: string): string | undefined {
  const [, number, check] = /^(?:CCE[-_ ]?)?(\d{1,12})[-_ ](\d)$/i.exec(withPlainDashes(text)) ?? []
  return number && `CCE-${number}-${check}`
}
