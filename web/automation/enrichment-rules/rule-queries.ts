import { call } from '../../api/call.ts'
import { listQuery, oneQuery } from '../../api/lists.ts'
import type { EnrichmentRule } from '../../api/resources.ts'
import type { Forecast } from '../enrichers/enricher-queries.ts'

export const rulesQuery = listQuery<EnrichmentRule>('enrichment-rules', { sort: 'name', limit: 500 })

export const ruleQuery = (id: string) => oneQuery<EnrichmentRule>(`enrichment-rules/${id}`)

/** Says what a rule would look up among existing data. */
export const readPreview = async (data: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<Forecast> =>
  (await call<{ data: Forecast }>('POST', 'enrichment-rules/preview', { data }, signal)).data
