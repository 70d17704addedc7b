import { refangQuery } from '../../../server/domain/typed-query.ts'
import { chosenColumns, DEFAULT_COLUMNS } from './columns.ts'
import { type Filter, readFilter, type Searched, writeFilter } from './filters.ts'

/** All of the search page that one would want to share. */
export interface SearchState {
  readonly searched: Searched
  readonly query: string
  readonly filters: readonly Filter[]
  /** Empty where nobody chose one. */
  readonly sort: string
  /** Undefined where nobody chose them here: then those of the user. */
  readonly columns: readonly string[] | undefined
  /** The id of the row that is looked at beside the table. */
  readonly look: string
}

type Address = Readonly<Record<string, unknown>>

/** Reads the state out of the address; what cannot be read there is left out. */
export function readState(address: Address): SearchState {
  const searched: Searched = address.in === 'observables' ? 'observables' : 'entities'
  const columns = listOf(address.columns)
  return {
    searched,
    // An address may have been typed or pasted, with a defanged indicator in it.
    query: refangQuery(textOf(address.q)),
    filters: listOf(address.f).flatMap((text) => readFilter(text) ?? []),
    sort: textOf(address.sort),
    columns: columns.length === 0 ? undefined : chosenColumns(searched, columns),
    look: textOf(address.look),
  }
}

/** Writes it down again: what is as always is not in the address. */
export function writeState({ searched, query, filters, sort, columns, look }: SearchState): Record<string, unknown> {
  return {
    ...(query.trim() !== '' && { q: query }),
    ...(searched !== 'entities' && { in: searched }),
    ...(filters.length > 0 && { f: filters.map(writeFilter) }),
    ...(sort !== '' && { sort }),
    ...(columns !== undefined && { columns: columns.join() }),
    ...(look !== '' && { look }),
  }
}

/** The router reads numbers and words such as true as what they are. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const listOf = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.map(textOf)
  return textOf(value).split(',').filter(Boolean)
}

/** What of a search is kept beside its query. */
export interface SavedSettings {
  readonly filters?: unknown
  readonly sort?: unknown
  readonly columns?: unknown
}

/** The settings of a saved query for a state of the page. */
export const settingsOf = ({ filters, sort, columns }: SearchState): SavedSettings => ({
  filters: filters.map(writeFilter),
  sort,
  ...(columns !== undefined && { columns }),
})

/** The state that a saved query stands for. */
export function savedState(saved: {
  readonly query: string
  readonly collection: string
  readonly settings: SavedSettings
}): SearchState {
  const { filters, sort, columns } = saved.settings
  return readState({ q: saved.query, in: saved.collection, f: asList(filters), sort, columns: asList(columns) })
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Whether two states search for the same, whatever is looked at beside. */
export const isSameSearch = (a: SearchState, b: SearchState): boolean =>
  JSON.stringify(writeState(asSearch(a))) === JSON.stringify(writeState(asSearch(b)))

const asSearch = (state: SearchState): SearchState => ({
  ...state,
  look: '',
  columns: state.columns?.join() === DEFAULT_COLUMNS[state.searched].join() ? undefined : state.columns,
})
