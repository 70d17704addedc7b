import type { Enricher } from '../../api/resources.ts'
import type { Detonator } from '../detonators/detonator-queries.ts'
import { stateInWords } from '../detonators/detonator-words.ts'
import type { Rule } from '../rule-kind.ts'
import { needsAttention, stateOf } from '../rule-state.ts'

/** What the overview needs to know of an enricher. */
export type WatchedEnricher = Pick<Enricher, 'id' | 'name' | 'is_active' | 'state' | 'state_reason' | 'quota' | 'task'>

/** Something that somebody has to look at. */
export interface Attention {
  /** The page of the object. */
  readonly to: string
  readonly name: string
  readonly kind: string
  readonly label: string
  readonly color: string
  readonly reason: string | null
}

const COLOURS = ['red', 'orange', 'yellow']

/** The most urgent first. */
export const sorted = (found: readonly Attention[]): readonly Attention[] =>
  found.toSorted((a, b) => COLOURS.indexOf(a.color) - COLOURS.indexOf(b.color) || a.name.localeCompare(b.name))

/** The rules with problems, failed runs or warnings. */
export const attentionOfRules = (rules: readonly Rule[], kind: string, page: string): readonly Attention[] =>
  rules.filter(needsAttention).map((rule) => ({ to: `${page}/${rule.id}`, name: rule.name, kind, ...stateOf(rule) }))

const ENRICHER_STATES: Partial<Readonly<Record<Enricher['state'], Pick<Attention, 'label' | 'color'>>>> = {
  SUSPENDED: { label: 'Suspended', color: 'red' },
  NOT_INSTALLED: { label: 'Not installed', color: 'red' },
  UNREACHABLE: { label: 'Unreachable', color: 'orange' },
}

/** Whether an enricher has used up one of its limits. */
export const hasNoCallsLeft = ({ is_active, quota }: Pick<WatchedEnricher, 'is_active' | 'quota'>): boolean =>
  is_active && quota.some(({ left }) => left === 0)

/** The enrichers that are suspended, unreachable or at a limit. */
export function attentionOfEnrichers(enrichers: readonly WatchedEnricher[]): readonly Attention[] {
  return enrichers.flatMap((enricher) => {
    const state = ENRICHER_STATES[enricher.state]
    const limit = hasNoCallsLeft(enricher) ? { label: 'Limit reached', color: 'orange' } : undefined
    const found = state ?? limit
    if (!found) return []
    const reason = enricher.state_reason || (limit ? 'All calls of a limit are used up.' : null)
    return [{ to: `/enrichers/${enricher.id}`, name: enricher.name, kind: 'Enricher', ...found, reason }]
  })
}

const NEEDY: readonly Detonator['state'][] = ['SUSPENDED', 'NOT_INSTALLED', 'UNREACHABLE']

/** The active detonators that are suspended, unreachable, not installed or at their limit. */
export function attentionOfDetonators(detonators: readonly Detonator[]): readonly Attention[] {
  return detonators.flatMap((detonator) => {
    const { id, task_name, state, is_active } = detonator
    const { label, color, reason, remedy } = stateInWords(detonator)
    const isNeedy = is_active && (NEEDY.includes(state) || label === 'Limit reached')
    if (!isNeedy) return []
    return [{ to: `/detonators/${id}`, name: task_name, kind: 'Detonator', label, color, reason: reason ?? remedy }]
  })
}
