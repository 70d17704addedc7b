import type { Searched } from './filters.ts'

/** A column of the table of results. */
export interface Column {
  readonly label: string
  /** What has to be asked for to show it. */
  readonly attributes: readonly string[]
  /** What the API sorts by, where it can. */
  readonly sort?: string
  readonly width: number
  /** Whether it takes the room that is left. */
  readonly grows?: boolean
}

const STAMPS = {
  created_at: { label: 'Created', attributes: ['created_at'], sort: 'created_at', width: 155 },
  last_updated_at: { label: 'Updated', attributes: ['last_updated_at'], sort: 'last_updated_at', width: 155 },
} satisfies Record<string, Column>

const ENTITY_COLUMNS = {
  title: {
    label: 'Title',
    attributes: ['data.title', 'meta.title', 'meta.is_withdrawn', 'data.type'],
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
    label: 'Threat began',
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

/** Every column there is; the first always stands first. */
export const COLUMNS: Readonly<Record<Searched, Readonly<Record<string, Column>>>> = {
  entities: ENTITY_COLUMNS,
  observables: OBSERVABLE_COLUMNS,
}

/** The columns that are shown to who has not chosen. */
export const DEFAULT_COLUMNS: Readonly<Record<Searched, readonly string[]>> = {
  entities: ['title', 'type', 'tags', 'tlp', 'last_updated_at'],
  observables: ['value', 'type', 'maliciousness', 'last_updated_at'],
}

/** Those of the chosen columns that there are, in the order of all columns, and always the first. */
export function chosenColumns(searched: Searched, chosen: readonly string[]): readonly string[] {
  const [first = '', ...others] = Object.keys(COLUMNS[searched])
  return [first, ...others.filter((name) => chosen.includes(name))]
}

/** What has to be asked for to show these columns. */
export const attributesOf = (searched: Searched, columns: readonly string[]): string =>
  [...new Set(['id', ...columns.flatMap((name) => COLUMNS[searched][name]?.attributes ?? [])])].join()

/** Best first; only where there is a query that something fits well or badly. */
export const BY_SCORE = '-_score'

/** What one sorts by where nothing is said. */
export const DEFAULT_SORT = '-last_updated_at'

/** The sort that a click on the head of a column asks for: up, then down, then none of one's own. */
export function nextSort(now: string, column: string): string {
  if (now === column) return `-${column}`
  return now === `-${column}` && now !== DEFAULT_SORT ? '' : column
}

/** What is searched for, as far as it decides on the order. */
export interface Asked {
  readonly query: string
  /** Whether words are typed, which something fits well or badly. */
  readonly hasWords: boolean
  /** How much is found; undefined until it is known. */
  readonly total: number | undefined
}

/** How much is put in order by how well it fits: every one of these is looked into. */
export const MOST_RANKED = 10_000

/**
 * A sort that the API takes, in place of one that is not known. Where nobody chose one and words are typed, what fits best comes
 * first, unless far too much is found to look into all of it; undefined until that is known.
 */
export function knownSort(searched: Searched, sort: string, { query, hasWords, total }: Asked): string | undefined {
  if (sort === BY_SCORE) return query === '' ? DEFAULT_SORT : BY_SCORE
  const isKnown = Object.values(COLUMNS[searched]).some((column) => column.sort === sort.replace(/^-/, ''))
  if (isKnown) return sort
  if (sort !== '' || !hasWords) return DEFAULT_SORT
  if (total === undefined) return undefined
  return total > MOST_RANKED ? DEFAULT_SORT : BY_SCORE
}
