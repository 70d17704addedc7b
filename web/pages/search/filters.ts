import { refang } from '../../../server/domain/observables/refang.ts'

/** What may be searched for. */
export type Searched = 'entities' | 'observables'

/** One condition beside the query: a value of a field that must be there, or must not. */
export interface Filter {
  readonly field: string
  readonly value: string
  readonly isNot: boolean
}

interface FieldInfo {
  readonly label: string
  /** Whether it takes a time or a span of times in place of a value. */
  readonly isTime?: boolean
  /** Whether its values are counted beside the rows. */
  readonly isFacet?: boolean
  readonly permission?: string
}

const TIMES = {
  created_at: { label: 'Created', isTime: true },
  last_updated_at: { label: 'Updated', isTime: true },
} satisfies Record<string, FieldInfo>

/** What can be filtered on, by the names that queries have for it. */
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
    'meta.estimated_threat_start_time': { label: 'Threat began', isTime: true },
    'meta.estimated_observed_time': { label: 'Observed', isTime: true },
  },
  observables: {
    type: { label: 'Type', isFacet: true },
    'meta.maliciousness': { label: 'Maliciousness', isFacet: true },
    ...TIMES,
  },
}

/** What a field is called on screen. */
export const fieldLabel = (searched: Searched, field: string): string => FILTER_FIELDS[searched][field]?.label ?? field

const isTimeField = (field: string): boolean =>
  Object.values(FILTER_FIELDS).some((fields) => fields[field]?.isTime === true)

const SINCE = /^now-\d{1,4}[hdwMy]$/
const SPAN = /^(\d{4}-\d{2}-\d{2})?\.\.(\d{4}-\d{2}-\d{2})?$/

/** Reads a filter as it stands in an address: `type:malware`, `-tags:old`, `created_at:now-7d`. */
export function readFilter(text: string): Filter | undefined {
  const [, not, field, value] = /^(-?)([a-z][\w.]*):(.+)$/s.exec(text) ?? []
  if (field === undefined || value === undefined) return undefined
  const isGood = !isTimeField(field) || SINCE.test(value) || (SPAN.test(value) && value !== '..')
  return isGood ? { field, value, isNot: not === '-' } : undefined
}

/** Writes it down again. */
export const writeFilter = ({ field, value, isNot }: Filter): string => `${isNot ? '-' : ''}${field}:${value}`

const isSame = (a: Filter, b: Filter): boolean => a.field === b.field && a.value === b.value

/** Adds a filter; a field of times has one at a time. */
export const withFilter = (filters: readonly Filter[], added: Filter): readonly Filter[] => [
  ...filters.filter((each) => !isSame(each, added) && !(each.field === added.field && isTimeField(added.field))),
  added,
]

/** Takes a filter off. */
export const withoutFilter = (filters: readonly Filter[], removed: Filter): readonly Filter[] =>
  filters.filter((each) => !isSame(each, removed))

/** The filter for a value, where there is one. */
export const findFilter = (filters: readonly Filter[], field: string, value: string): Filter | undefined =>
  filters.find((each) => each.field === field && each.value === value)

/** A text as a query finds it whole. */
export const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`

/** Fields that hold indicators, which people paste defanged. */
const VALUES = ['value', 'extracts.value']

function condition({ field, value }: Filter): string {
  if (!isTimeField(field)) return `${field}:${quoted(VALUES.includes(field) ? refang(value) : value)}`
  if (SINCE.test(value)) return `${field}:[${value} TO *]`
  const [, from = '*', to = '*'] = SPAN.exec(value) ?? []
  return `${field}:[${from} TO ${to}]`
}

/**
 * The one query that stands for what was typed and all filters: rows, counts and everything that is done to all of them go by it.
 * Values of one field are any of them; empty where nothing is asked for.
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

/** A value of a filter as people read it. */
export function filterValue({ field, value }: Pick<Filter, 'field' | 'value'>): string {
  if (!isTimeField(field)) return value
  const [, count, unit] = /^now-(\d+)([hdwMy])$/.exec(value) ?? []
  if (count !== undefined && unit !== undefined)
    return count === '1' ? `last ${UNITS[unit]}` : `last ${count} ${UNITS[unit]}s`
  const [from, to] = value.split('..')
  if (from && to) return `${from} to ${to}`
  return from ? `since ${from}` : `until ${to}`
}
