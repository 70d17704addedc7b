import { nameOf } from '../../api/names.ts'
import type { EnrichmentRule } from '../../api/resources.ts'
import { defangText } from '../../domain/defang-text.ts'
import { scopeInWords } from '../in-words.ts'

/** The verdicts that a rule can stop at, from the strongest. */
export const STOPS = [
  { value: 'high', label: 'High' },
  { value: 'medium', label: 'Medium or higher' },
  { value: 'low', label: 'Low or higher' },
  { value: 'safe', label: 'Any verdict' },
] as const

/** The times by which existing data can be limited, and what has happened at each. */
export const TIME_FIELDS = [
  { value: 'ingestion', label: 'Time of ingestion', verb: 'ingested' },
  { value: 'start', label: 'Start of the threat', verb: 'started' },
  { value: 'observed', label: 'Time of observation', verb: 'observed' },
] as const

/** The criteria of a rule in words, one text for each alternative. */
export function criteriaInWords(
  criteria: EnrichmentRule['criteria'],
  sources: ReadonlyMap<string, string>,
): readonly string[] {
  if (criteria.length === 0) return ['All observables']
  return criteria.map(({ entity_type, source, tlp, without_tlp }) => {
    const words = scopeInWords({
      entity_types: entity_type === null ? [] : [entity_type],
      sources: source === null ? [] : [defangText(nameOf(sources, source))],
      tlps: tlp === null || without_tlp ? [] : [tlp],
    })
    return entity_type === null ? ['All observables', ...words].join(', ') : words.join(', ')
  })
}

type Period = Pick<EnrichmentRule, 'is_retroactive' | 'time_field' | 'time_period'>

/** Which data a rule looks up, by time. */
export function dataInWords({ is_retroactive, time_field, time_period }: Period): string {
  if (!is_retroactive) return 'New data'
  const field = TIME_FIELDS.find(({ value }) => value === time_field)
  if (time_period === null || !field) return 'New and existing data'
  return `New data, and data ${field.verb} in the last ${time_period === 1 ? 'day' : `${time_period} days`}`
}
