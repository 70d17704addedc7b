import type { Searched } from './filters.ts'

/** A column of the result table. */
export interface Column {
  readonly label: string
  /** The attributes to request for it. */
  readonly attributes: readonly string[]
  /** The sort key of the API, if the column is sortable. */
  readonly sort?: string
  readonly width: number
  /** Whether it takes the remaining width. */
  readonly grows?: boolean
}

const STAMPS = {
  created_at: { label: 'Created', attributes: ['created_at'], sort: 'created_at', width: 155 },
  last_updated_at: { label: 'Last updated', attributes: ['last_updated_at'], sort: 'last_updated_at', width: 155 },
} satisfies Record<string, Column>

const ENTITY_COLUMNS = {
  title: {
    label: 'Title',
    attributes: [
      'data.title',
      'meta.title',
      'meta.is_withdrawn',
      'meta.is_unified_entity',
      'meta.is_contributor_to',
      'data.type',
    ],
    sort: 'meta.title',
    width: 220,
    grows: true,
  },
  type: { label: 'Type', attributes: ['data.type'], sort: 'type', width: 110 },
  tlp: { label: 'TLP', attributes: ['meta.tlp_color'], sort: 'meta.tlp_color', width: 104 },
  tags: { label: 'Tags', attributes: ['meta.tags'], width: 160 },
  sources: { label: 'Source', attributes: ['sources'], width: 140 },
  taxonomies: { label: 'Taxonomies', attributes: ['meta.taxonomies'], width: 200 },
  confidence: { label: 'Confidence', attributes: ['data.confidence'], width: 150 },
  reliability: { label: 'Reliability', attributes: ['meta.source_reliability'], width: 190 },
  relevancy: { label: 'Relevancy', attributes: ['relevancy'], sort: 'relevancy', width: 105 },
  observables: { label: 'Observables', attributes: ['observables'], width: 105 },
  threat_start: {
    label: 'Threat start',
    attributes: ['meta.estimated_threat_start_time'],
    sort: 'meta.estimated_threat_start_time',
    width: 140,
  },
  ...STAMPS,
} satisfies Record<string, Column>

const OBSERVABLE_COLUMNS = {
  value: { label: 'Value', attributes: ['value', 'type'], sort: 'value', width: 260, grows: true },
  type: { label: 'Type', attributes: ['type'], sort: 'type', width: 110 },
  maliciousness: { label: 'Maliciousness', attributes: ['meta'], width: 150 },
  entities: { label: 'Entities', attributes: ['entities'], width: 90 },
  sources: { label: 'Sources', attributes: ['sources'], width: 180 },
  ...STAMPS,
} satisfies Record<string, Column>

/** All columns; the first one cannot be hidden. */
export const COLUMNS: Readonly<Record<Searched, Readonly<Record<string, Column>>>> = {
  entities: ENTITY_COLUMNS,
  observables: OBSERVABLE_COLUMNS,
}

/** The default columns. */
export const DEFAULT_COLUMNS: Readonly<Record<Searched, readonly string[]>> = {
  entities: ['title', 'type', 'tags', 'tlp', 'last_updated_at'],
  observables: ['value', 'type', 'maliciousness', 'last_updated_at'],
}

/** The selected columns that exist, in their defined order and always with the first. */
export function chosenColumns(searched: Searched, chosen: readonly string[]): readonly string[] {
  const [first = '', ...others] = Object.keys(COLUMNS[searched])
  return [first, ...others.filter((name) => chosen.includes(name))]
}

/** The attributes to request for these columns. */
export const attributesOf = (searched: Searched, columns: readonly string[]): string =>
  [...new Set(['id', ...columns.flatMap((name) => COLUMNS[searched][name]?.attributes ?? [])])].join()

/** Sorts by relevance; only available with a query. */
export const BY_SCORE = '-_score'

/** The default sort order. */
export const DEFAULT_SORT = '-last_updated_at'

/** The next sort order after a click on a column header: ascending, descending, default. */
export function nextSort(now: string, column: string): string {
  if (now === column) return `-${column}`
  return now === `-${column}` && now !== DEFAULT_SORT ? '' : column
}

/** The parts of a search that affect the default order. */
export interface Asked {
  readonly query: string
  /** Whether the query contains words, by which results can be ranked. */
  readonly hasWords: boolean
  /** The number of results; undefined until known. */
  readonly total: number | undefined
}

/** Above this number, results are not ranked, because ranking reads every one of them. */
export const MAX_RANKED = 10_000

/**
 * The sort order to request: the chosen one if the API supports it. Without a choice, a query with words sorts by relevance, unless
 * there are too many results to rank; undefined until that is known.
 */
export function knownSort(searched: Searched, sort: string, { query, hasWords, total }: Asked): string | undefined {
  if (sort === BY_SCORE) return query === '' ? DEFAULT_SORT : BY_SCORE
  const isKnown = Object.values(COLUMNS[searched]).some((column) => column.sort === sort.replace(/^-/, ''))
  if (isKnown) return sort
  if (sort !== '' || !hasWords) return DEFAULT_SORT
  if (total === undefined) return undefined
  return total > MAX_RANKED ? DEFAULT_SORT : BY_SCORE
}
