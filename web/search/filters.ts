import { refang } from '../../server/domain/observables/refang.ts'

/** The searchable collections. */
export type Searched = 'entities' | 'observables'

/** One filter: a value that a field must have, or must not have. */
export interface Filter {
  readonly field: string
  readonly value: string
  readonly isNot: boolean
}

interface FieldInfo {
  readonly label: string
  /** Whether it takes a time range instead of a value. */
  readonly isTime?: boolean
  /** Whether its values are counted next to the results. */
  readonly isFacet?: boolean
  readonly permission?: string
}

const TIMES = {
  created_at: { label: 'Created', isTime: true },
  last_updated_at: { label: 'Last updated', isTime: true },
} satisfies Record<string, FieldInfo>

/** The filterable fields, by their names in queries. */
export const FILTER_FIELDS: Readonly<Record<Searched, Readonly<Record<string, FieldInfo>>>> = {
  entities: {
    type: { label: 'Type', isFacet: true },
    'meta.tlp_color': { label: 'TLP', isFacet: true },
    tags: { label: 'Tag', isFacet: true },
    'sources.name': { label: 'Source', isFacet: true },
    'meta.taxonomy_paths': { label: 'Taxonomy', isFacet: true },
    'data.confidence': { label: 'Confidence', isFacet: true },
    'extracts.kind': { label: 'Has observable', isFacet: true, permission: 'read extracts' },
    'meta.source_reliability': { label: 'Reliability' },
    'meta.is_withdrawn': { label: 'Withdrawn' },
    ...TIMES,
    'meta.estimated_threat_start_time': { label: 'Threat start', isTime: true },
    'meta.estimated_observed_time': { label: 'Observed', isTime: true },
  },
  observables: {
    type: { label: 'Type', isFacet: true },
    'meta.maliciousness': { label: 'Maliciousness', isFacet: true },
    ...TIMES,
  },
}

/** The label of a field. */
export const fieldLabel = (searched: Searched, field: string): string => FILTER_FIELDS[searched][field]?.label ?? field

const isTimeField = (field: string): boolean =>
  Object.values(FILTER_FIELDS).some((fields) => fields[field]?.isTime === true)

const SINCE = /^now-\d{1,4}[hdwMy]$/
const SPAN = /^(\d{4}-\d{2}-\d{2})?\.\.(\d{4}-\d{2}-\d{2})?$/

/** Parses a filter from the address: `type:malware`, `-tags:old`, `created_at:now-7d`. */
export function readFilter(text: string): Filter | undefined {
  const [, not, field, value] = /^(-?)([a-z][\w.]*):(.+)$/s.exec(text) ?? []
  if (field === undefined || value === undefined) return undefined
  const isGood = !isTimeField(field) || SINCE.test(value) || (SPAN.test(value) && value !== '..')
  return isGood ? { field, value, isNot: not === '-' } : undefined
}

/** Writes a filter to the address. */
export const writeFilter = ({ field, value, isNot }: Filter): string => `${isNot ? '-' : ''}${field}:${value}`

const isSame = (a: Filter, b: Filter): boolean => a.field === b.field && a.value === b.value

/** Adds a filter; a time field can have only one. */
export const withFilter = (filters: readonly Filter[], added: Filter): readonly Filter[] => [
  ...filters.filter((each) => !isSame(each, added) && !(each.field === added.field && isTimeField(added.field))),
  added,
]

/** Removes a filter. */
export const withoutFilter = (filters: readonly Filter[], removed: Filter): readonly Filter[] =>
  filters.filter((each) => !isSame(each, removed))

/** The filter for a value, if there is one. */
export const findFilter = (filters: readonly Filter[], field: string, value: string): Filter | undefined =>
  filters.find((each) => each.field === field && each.value === value)

/** A text as a quoted phrase. */
export const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`

/** Fields that contain indicators, which users paste defanged. */
const VALUES = ['value', 'extracts.value']

function condition({ field, value }: Filter): string {
  if (!isTimeField(field)) return `${field}:${quoted(VALUES.includes(field) ? refang(value) : value)}`
  if (SINCE.test(value)) return `${field}:[${value} TO *]`
  const [, from = '*', to = '*'] = SPAN.exec(value) ?? []
  return `${field}:[${from} TO ${to}]`
}

/**
 * The query that combines the typed text with all filters, used for results, counts and bulk actions. Values of one field are
 * alternatives; empty if there is no restriction.
 */
export function wholeQuery(typed: string, filters: readonly Filter[]): string {
  const query = typed.trim()
  if (filters.length === 0) return query
  const wanted = Map.groupBy(
    filters.filter(({ isNot }) => !isNot),
    ({ field }) => field,
  )
  const parts = [
    ...(query === '' ? [] : [`+(${query})`]),
    ...[...wanted.values()].map((each) =>
      each.length === 1 ? `+${each.map(condition).join()}` : `+(${each.map(condition).join(' OR ')})`,
    ),
    ...filters.filter(({ isNot }) => isNot).map((each) => `-${condition(each)}`),
  ]
  return parts.join(' ')
}

const UNITS: Readonly<Record<string, string>> = { h: 'hour', d: 'day', w: 'week', M: 'month', y: 'year' }

/** The displayed value of a filter. */
export function filterValue({ field, value }: Pick<Filter, 'field' | 'value'>): string {
  if (!isTimeField(field)) return value
  const [, count, unit] = /^now-(\d+)([hdwMy])$/.exec(value) ?? []
  if (count !== undefined && unit !== undefined)
    return count === '1' ? `last ${UNITS[unit]}` : `last ${count} ${UNITS[unit]}s`
  const [from, to] = value.split('..')
  if (from && to) return `${from} to ${to}`
  return from ? `since ${from}` : `until ${to}`
}
