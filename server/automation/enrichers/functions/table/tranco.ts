import { z } from 'zod'
import { numberIn } from './row-values.ts'
import { parentsOf } from './subject-keys.ts'
import { tableFunction, verdictOn } from './table-function.ts'

const BANDS = [100, 1000, 10_000, 100_000, 1_000_000]

/** The rank of a domain among the most popular ones. */
export const tranco = tableFunction({
  table: 'tranco',
  title: 'Tranco popularity',
  description: 'Finds the rank of a domain, or of the domain above it, among the most popular ones.',
  supportedTypes: ['domain', 'host'],
  load: 'Create the table `tranco` with the format csv, the columns rank, domain and the `key_column` domain. The list is published at https://tranco-list.eu/top-1m.csv.zip.',
  parameters: {
    safe_up_to: z.int().min(1).nullable().default(null).meta({
      title: 'Safe up to',
      description: 'The rank up to which the verdict is safe. Popular sites are abused, too.',
    }),
  },
  find: ({ rows }, table, { value }) => rows(table, parentsOf(value)),
  read: ({ hits: [hit], parameters: { safe_up_to } }) => {
    const rank = numberIn(hit?.row ?? {}, 'rank')
    if (rank === undefined) return { findings: [], warnings: ['The column rank is not a number.'] }
    const band = BANDS.find((most) => rank <= most)
    const isSafe = safe_up_to !== null && rank <= safe_up_to
    return {
      findings: [
        ...verdictOn(isSafe ? 'safe' : null, `${hit?.key} has rank ${rank}.`),
        { kind: 'tag', value: band === undefined ? 'tranco' : `tranco:top-${band}` },
      ],
    }
  },
})
