import type { Parameters } from '../../api/lists.ts'
import type { Reason } from '../../domain/match-reasons.ts'

/** That an entity came to contribute to a unified entity. */
export interface ConsolidationEvent {
  readonly id: number
  readonly entity_id: string
  readonly unified_entity_id: string
  readonly method: 'rule-based' | 'user-assigned'
  readonly reason: Reason | null
  readonly policy: string | null
  readonly created_at: string
  readonly created_by: string | null
  readonly undone_at: string | null
  readonly undone_by: string | null
  readonly undone_reason: string | null
}

/** The collection of events. */
export const EVENTS = 'entities/consolidation-events'

export const METHODS = [
  { value: '', label: 'All' },
  { value: 'rule-based', label: 'By a policy' },
  { value: 'user-assigned', label: 'By hand' },
] as const

/** The query parameters for the events of a policy, an entity or a unified entity, the latest first. */
export const eventParameters = ({
  policy,
  method,
  entity,
  unified,
}: {
  readonly policy?: string | number
  readonly method?: string
  readonly entity?: string
  readonly unified?: string
}): Parameters => ({
  'filter[policy]': policy === '' ? undefined : policy,
  'filter[method]': method || undefined,
  'filter[entity_id]': entity || undefined,
  'filter[unified_entity_id]': unified || undefined,
  sort: '-created_at',
})
