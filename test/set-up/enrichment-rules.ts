import { enrichWritten } from '../../server/automation/enrichment-rules/enrich-written.ts'
import { catchUp, untilReadable } from '../followers.ts'
import { startEnrichers } from './enrichers.ts'

type Options = Parameters<typeof startEnrichers>[0]
type Item = Record<string, unknown>

/** The application with a source, and what tests of enrichment rules do again and again. */
export async function startEnrichmentRules(options: Options = {}) {
  const corvus = await startEnrichers(options)
  let counter = 0
  return {
    ...corvus,
    rule: (more: Item, token = corvus.admin) =>
      corvus.ask('POST', 'enrichment-rules', { name: `rule ${++counter}`, is_active: true, ...more }, token),
    readRule: (id: number) => corvus.ask('GET', `enrichment-rules/${id}`),
    /** An entity with domains as its observables. */
    entity: (values: readonly string[], more: Item = {}, token = corvus.admin) =>
      corvus.ask(
        'POST',
        'entities',
        {
          data: { type: 'report', title: `Report ${++counter}` },
          observables: values.map((value) => ({ type: 'domain', value })),
          ...more,
        },
        token,
      ),
    /** Makes the rules look at everything that was written. */
    follow: async () => {
      await untilReadable(corvus.db)
      await catchUp(corvus.server, enrichWritten)
    },
    /** The values in the queue of an enricher, sorted. */
    queued: async (enricher: number): Promise<string[]> => {
      const { rows } = await corvus.pool.query(
        `select o.value from enrichment_requests as q join observables as o on o.id = q.observable where q.enricher = $1 order by 1`,
        [enricher],
      )
      return rows.map(({ value }) => value)
    },
    chains: async (rule: number): Promise<number> => {
      const { rows } = await corvus.pool.query('select from enrichment_chains where rule = $1', [rule])
      return rows.length
    },
  }
}

export type EnrichmentRules = Awaited<ReturnType<typeof startEnrichmentRules>>
