import { idOf } from '../../api/lists.ts'
import type { EnrichmentRule } from '../../api/resources.ts'
import { type ScheduleValues, scheduleOf, scheduleValues } from '../../forms/schedule.ts'

/** A criterion in the form; empty texts match everything. */
export interface CriterionValues {
  readonly type: string
  /** The id of the source. */
  readonly source: string
  readonly tlp: string
}

/** The values of the form of an enrichment rule. */
export interface RuleFormValues extends ScheduleValues {
  readonly name: string
  readonly description: string
  readonly isActive: boolean
  readonly criteria: readonly CriterionValues[]
  /** The ids of enrichers, in their order. */
  readonly enrichers: readonly string[]
  readonly stopAt: string
  readonly isRetroactive: boolean
  readonly timeField: string
  /** In days. */
  readonly timePeriod: string
}

export const NEW_CRITERION: CriterionValues = { type: '', source: '', tlp: '' }

/** The form values of a new rule. */
export const NEW_RULE: RuleFormValues = {
  name: '',
  description: '',
  isActive: true,
  criteria: [NEW_CRITERION],
  enrichers: [],
  stopAt: '',
  isRetroactive: false,
  ...scheduleValues(null),
  timeField: 'ingestion',
  timePeriod: '30',
}

/** The form values of a stored rule. */
export function formOf(rule: EnrichmentRule): RuleFormValues {
  return {
    name: rule.name,
    description: rule.description ?? '',
    isActive: rule.is_active,
    criteria: rule.criteria.map(({ entity_type, source, tlp, without_tlp }) => ({
      type: entity_type ?? '',
      source: source === null ? '' : idOf(source),
      tlp: without_tlp ? '' : (tlp ?? ''),
    })),
    enrichers: rule.enrichers.map(idOf),
    stopAt: rule.stop_at ?? '',
    isRetroactive: rule.is_retroactive,
    ...scheduleValues(rule.execution_schedule),
    timeField: rule.time_field ?? '',
    timePeriod: rule.time_period === null ? '' : String(rule.time_period),
  }
}

/** The request body for form values. */
export function bodyOf(form: RuleFormValues): Record<string, unknown> {
  return {
    name: form.name.trim(),
    description: form.description.trim() || null,
    is_active: form.isActive,
    ...scopeOf(form),
    is_retroactive: form.isRetroactive,
    execution_schedule: form.isRetroactive ? scheduleOf(form) : null,
  }
}

/** What a rule looks up, for a preview: it needs no name. */
export const scopeOf = (form: RuleFormValues): Record<string, unknown> => ({
  criteria: form.criteria.map(({ type, source, tlp }) => ({
    entity_type: type || null,
    source: source || null,
    tlp: tlp || null,
  })),
  enrichers: form.enrichers.map(Number),
  stop_at: form.stopAt || null,
  time_field: form.isRetroactive ? form.timeField || null : null,
  time_period: form.isRetroactive && form.timePeriod.trim() !== '' ? Number(form.timePeriod) : null,
})

/** The list with one element moved up or down by one place. */
export function moved<T>(list: readonly T[], from: number, by: -1 | 1): readonly T[] {
  const to = from + by
  const [one, other] = [list[from], list[to]]
  if (one === undefined || other === undefined) return list
  return list.map((each, i) => (i === from ? other : i === to ? one : each))
}

/** The names of all fields that can show a validation error. */
export const FAULT_NAMES = [
  'name',
  'description',
  'criteria',
  'enrichers',
  'stop_at',
  'is_retroactive',
  'execution_schedule',
  'time_field',
  'time_period',
  'is_active',
]
