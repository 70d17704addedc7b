import { z } from 'zod'
import { numberIn } from './row-values.ts'
import { tableFunction, verdictOn } from './table-function.ts'

/** How likely a vulnerability is to be exploited. */
export const epss = tableFunction({
  table: 'epss',
  title: 'EPSS scores',
  description: 'Finds how likely a vulnerability is to be exploited within 30 days, and its rank among all others.',
  supportedTypes: ['cve'],
  load: 'Create the table `epss` with the format csv and the `key_column` cve. FIRST publishes it every day at https://epss.empiricalsecurity.com/epss_scores-current.csv.gz.',
  parameters: {
    high_from: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .default(null)
      .meta({ title: 'High from', description: 'The probability, from 0 to 1, from which the verdict is high.' }),
  },
  find: ({ rows }, table, { value }) => rows(table, [value]),
  read: ({ hits, parameters: { high_from } }) => {
    const row = hits[0]?.row ?? {}
    const score = numberIn(row, 'epss')
    const percentile = numberIn(row, 'percentile')
    if (score === undefined || score < 0 || score > 1)
      return { findings: [], warnings: ['The column epss is not a number from 0 to 1.'] }
    const reason = `Exploited within 30 days with a probability of ${percent(score)}.`
    return {
      findings: [
        ...verdictOn(high_from !== null && score >= high_from ? 'high' : null, reason),
        { kind: 'tag', value: `epss:${percent(score)}` },
        ...(percentile === undefined
          ? []
          : [{ kind: 'tag', value: `epss-percentile:${percent(percentile)}` } as const]),
      ],
    }
  },
})

const percent = (share: number): string => `${Math.round(share * 1000) / 10}%`
