import { idOf, type Parameters } from '../../api/lists.ts'
import type { DiscoveryRule } from '../../api/resources.ts'
import { defangText } from '../../domain/defang-text.ts'
import { type ScheduleValues, scheduleOf, scheduleValues } from '../../forms/schedule.ts'
import { quoted } from '../../search/filters.ts'
import { anyOf, inQuotes, scopeInWords } from '../in-words.ts'

/** Where keywords are searched, with the fields of queries. */
export const KEYWORD_PLACES = [
  { value: 'title', label: 'Title', field: 'data.title' },
  { value: 'tags', label: 'Tags', field: 'meta.tags' },
  { value: 'description', label: 'Description', field: 'data.description' },
] as const

/** The values of the form of a discovery rule. */
export interface DiscoveryValues extends ScheduleValues {
  readonly name: string
  readonly description: string
  readonly isActive: boolean
  readonly keywords: readonly string[]
  readonly places: readonly string[]
  readonly query: string
  readonly entityTypes: readonly string[]
  /** Ids. */
  readonly sources: readonly string[]
  readonly workspaces: readonly string[]
}

/** The values of a stored rule, or of a new one. */
export const discoveryValues = (rule?: DiscoveryRule, workspace = ''): DiscoveryValues => ({
  name: rule?.name ?? '',
  description: rule?.description ?? '',
  isActive: rule?.is_active ?? true,
  keywords: rule?.keywords ?? [],
  places: rule?.match_keywords_in ?? KEYWORD_PLACES.map(({ value }) => value),
  query: rule?.search_query ?? '',
  entityTypes: rule?.entity_types ?? [],
  sources: rule?.sources.map(idOf) ?? [],
  workspaces: rule?.workspaces.map(idOf) ?? (workspace === '' ? [] : [workspace]),
  ...scheduleValues(rule?.execution_schedule ?? null),
})

/** The names of the fields that can show a validation error. */
export const DISCOVERY_FIELDS = [
  'name',
  'description',
  'keywords',
  'match_keywords_in',
  'search_query',
  'entity_types',
  'sources',
  'workspaces',
  'execution_schedule',
]

/** The request body for form values. */
export const discoveryBody = (values: DiscoveryValues) => ({
  name: values.name.trim(),
  description: values.description.trim() || null,
  is_active: values.isActive,
  keywords: values.keywords,
  match_keywords_in: values.places,
  search_query: values.query.trim() || null,
  entity_types: values.entityTypes,
  sources: values.sources,
  workspaces: values.workspaces.map(Number),
  execution_schedule: scheduleOf(values),
})

/** The query parameters for existing entities that a rule would find; undefined if it has no criteria. */
export function matchParameters(values: DiscoveryValues): Parameters | undefined {
  const { keywords, places, query, entityTypes, sources } = values
  const fields = KEYWORD_PLACES.filter(({ value }) => places.includes(value))
  const phrases = keywords.flatMap((keyword) => fields.map(({ field }) => `${field}:${quoted(keyword)}`))
  const parts = [
    ...(phrases.length > 0 ? [`+(${phrases.join(' OR ')})`] : []),
    ...(query.trim() === '' ? [] : [`+(${query.trim()})`]),
  ]
  if (keywords.length > 0 && phrases.length === 0) return undefined
  if (parts.length + entityTypes.length + sources.length === 0) return undefined
  return {
    ...(parts.length > 0 && { query: parts.join(' ') }),
    ...(entityTypes.length > 0 && { 'filter[type]': entityTypes }),
    ...(sources.length > 0 && { 'filter[sources]': sources }),
  }
}

/** What a rule looks for, in words. Keywords are defanged, queries stay as they are. */
export function discoveryInWords(
  rule: Pick<DiscoveryRule, 'keywords' | 'match_keywords_in' | 'search_query' | 'entity_types'>,
  sources: readonly string[],
): readonly string[] {
  const { keywords, match_keywords_in: places, search_query } = rule
  const isEverywhere = places.length === KEYWORD_PLACES.length
  return [
    ...(keywords.length > 0
      ? [
          `${anyOf(keywords.map((keyword) => inQuotes(defangText(keyword))))}${isEverywhere ? '' : ` in ${anyOf(places.map((place) => place))}`}`,
        ]
      : []),
    ...(search_query ? [search_query] : []),
    ...scopeInWords({ entity_types: rule.entity_types, sources }),
  ]
}
