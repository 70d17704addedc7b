import { call } from '../../api/call.ts'
import { listQuery, oneQuery } from '../../api/lists.ts'
import type { Task } from '../../api/resources.ts'
import type { Forecast } from '../enrichers/enricher-queries.ts'

/** A condition of an enrichment rule; null matches everything. */
export interface Criterion {
  readonly entity_type: string | null
  readonly source: string | null
  readonly tlp: string | null
  /** Whether `tlp` is ignored. */
  readonly without_tlp: boolean
}

/** A rule that looks up the observables of new data. */
export interface EnrichmentRule {
  readonly id: number
  readonly name: string
  readonly description: string | null
  readonly is_active: boolean
  readonly criteria: readonly Criterion[]
  readonly enrichers: readonly string[]
  readonly stop_at: 'safe' | 'low' | 'medium' | 'high' | null
  readonly is_retroactive: boolean
  readonly execution_schedule: Task['execution_schedule']
  readonly time_field: 'ingestion' | 'start' | 'observed' | null
  readonly time_period: number | null
  readonly task: string | null
  /** The state of its latest run. */
  readonly status: string | null
  /** Why the rule does not look up everything that it should. */
  readonly problem: string | null
  readonly enqueued_count: number
  readonly last_enqueued_at: string | null
  readonly last_updated_at: string
}

export const rulesQuery = listQuery<EnrichmentRule>('enrichment-rules', { sort: 'name', limit: 500 })

export const ruleQuery = (id: string) => oneQuery<EnrichmentRule>(`enrichment-rules/${id}`)

/** Says what a rule would look up among existing data. */
export const readPreview = async (data: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<Forecast> =>
  (await call<{ data: Forecast }>('POST', 'enrichment-rules/preview', { data }, signal)).data
