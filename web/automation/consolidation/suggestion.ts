import type { Parameters } from '../../api/lists.ts'
import type { Reason } from '../../domain/match-reasons.ts'

export type SuggestionState = 'open' | 'accepted' | 'refused'

/** Two entities that may be the same, and what a user decided about them. */
export interface Suggestion {
  readonly id: number
  /** URLs. */
  readonly first: string
  readonly second: string
  readonly type: string
  readonly reasons: readonly Reason[]
  readonly state: SuggestionState
  readonly created_at: string
  readonly decided_at: string | null
  readonly decided_by: string | null
}

/** The collection of suggestions. */
export const SUGGESTIONS = 'consolidation-suggestions'

/** The kinds of reasons for which entities are suggested, rather than joined. */
export const SUGGESTED_KINDS = ['name', 'title', 'names', 'id', 'pattern', 'content', 'place'] as const

/** Which suggestions to show; empty texts for all. */
export interface SuggestionFilters {
  readonly type: string
  readonly reason: string
  /** The id of the source of either entity. */
  readonly source: string
}

export const NO_FILTERS: SuggestionFilters = { type: '', reason: '', source: '' }

/** The query parameters for suggestions in a state: open ones in the order in which they are reviewed, decided ones the latest first. */
export const suggestionParameters = (
  state: SuggestionState,
  { type, reason, source }: SuggestionFilters,
): Parameters => ({
  'filter[state]': state,
  'filter[type]': type || undefined,
  'filter[reasons.kind]': reason || undefined,
  'filter[source]': source || undefined,
  sort: state === 'open' ? 'id' : '-decided_at',
})

/** The decisions about a suggestion, which are also the last part of their paths. */
export type Decision = 'accept' | 'refuse'

/** The state of a suggestion after a decision. */
export const stateAfter = (decision: Decision): SuggestionState => (decision === 'accept' ? 'accepted' : 'refused')

/** The state of a suggestion in a review: one that does not hold any more is deleted. */
export type ReviewedState = SuggestionState | 'gone'

/** What was decided about two entities, as a sentence. */
export const decidedInWords = (state: SuggestionState, first: string, second: string): string => {
  if (state === 'open') return `“${first}” and “${second}” are to be decided again.`
  return state === 'accepted'
    ? `“${first}” and “${second}” were consolidated.`
    : `“${first}” and “${second}” are not the same.`
}
