import { refangQuery } from '../../server/domain/typed-query.ts'
import { CONSOLIDATIONS, type Consolidation } from '../domain/consolidations.ts'
import { chosenColumns, DEFAULT_COLUMNS } from './columns.ts'
import { type Filter, readFilter, type Searched, writeFilter } from './filters.ts'

/** The state of the search page, as kept in the address. */
export interface SearchState {
  readonly searched: Searched
  readonly query: string
  readonly filters: readonly Filter[]
  /** Empty for the default order. */
  readonly sort: string
  /** Undefined for the columns that the user chose last. */
  readonly columns: readonly string[] | undefined
  /** What is shown of unified entities; undefined for what the user chose last. */
  readonly consolidation: Consolidation | undefined
  /** The id of the row in the preview. */
  readonly look: string
}

type Address = Readonly<Record<string, unknown>>

/** Reads the state from the address; invalid parts are ignored. */
export function readState(address: Address): SearchState {
  const searched: Searched = address.in === 'observables' ? 'observables' : 'entities'
  const columns = listOf(address.columns)
  return {
    searched,
    // An address may have been typed or pasted with a defanged indicator.
    query: refangQuery(textOf(address.q)),
    filters: listOf(address.f).flatMap((text) => readFilter(text) ?? []),
    sort: textOf(address.sort),
    columns: columns.length === 0 ? undefined : chosenColumns(searched, columns),
    consolidation: CONSOLIDATIONS.find((each) => each === address.consolidation),
    look: textOf(address.look),
  }
}

/** Writes the state to the address; default values are omitted. */
export function writeState(state: SearchState): Record<string, unknown> {
  const { searched, query, filters, sort, columns, consolidation, look } = state
  return {
    ...(query.trim() !== '' && { q: query }),
    ...(searched !== 'entities' && { in: searched }),
    ...(filters.length > 0 && { f: filters.map(writeFilter) }),
    ...(sort !== '' && { sort }),
    ...(columns !== undefined && { columns: columns.join() }),
    ...(consolidation !== undefined && { consolidation }),
    ...(look !== '' && { look }),
  }
}

/** The router parses numbers and words such as true; this reverts it. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const listOf = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.map(textOf)
  return textOf(value).split(',').filter(Boolean)
}

/** The settings that are saved with a query. */
export interface SavedSettings {
  readonly filters?: unknown
  readonly sort?: unknown
  readonly columns?: unknown
  readonly consolidation?: unknown
}

/** The settings of a saved query for a page state. */
export const settingsOf = ({ filters, sort, columns, consolidation }: SearchState): SavedSettings => ({
  filters: filters.map(writeFilter),
  sort,
  ...(columns !== undefined && { columns }),
  ...(consolidation !== undefined && { consolidation }),
})

/** The page state of a saved query. */
export function savedState(saved: {
  readonly query: string
  readonly collection: string
  readonly settings: SavedSettings
}): SearchState {
  const { filters, sort, columns, consolidation } = saved.settings
  return readState({
    q: saved.query,
    in: saved.collection,
    f: asList(filters),
    sort,
    columns: asList(columns),
    consolidation,
  })
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Whether two states have the same results, ignoring the preview. */
export const isSameSearch = (a: SearchState, b: SearchState): boolean =>
  JSON.stringify(writeState(asSearch(a))) === JSON.stringify(writeState(asSearch(b)))

const asSearch = (state: SearchState): SearchState => ({
  ...state,
  look: '',
  columns: state.columns?.join() === DEFAULT_COLUMNS[state.searched].join() ? undefined : state.columns,
})
