import { type Drawing, type Filters, NO_FILTERS } from './model.ts'

/** The starting point of a graph, as given by the address. */
export interface Start {
  readonly entities: readonly string[]
  readonly observables: readonly number[]
  /** Groups that are shown as one node, with the node they belong to. */
  readonly groups: readonly { readonly of: string; readonly group: string }[]
  readonly dataset: number | null
  readonly workspace: number | null
  readonly query: string | null
  /** The id of a saved graph. */
  readonly graph: number | null
  /** Whether unified entities stand for their contributors. */
  readonly isCollapsed: boolean
}

/** With more nodes the address becomes too long to share; such a graph has to be saved. */
export const MAX_NODES_IN_ADDRESS = 120

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

type Search = Readonly<Record<string, unknown>>

const listIn = (search: Search, name: string): readonly string[] =>
  [search[name] ?? []]
    .flat()
    .flatMap((value) => String(value).split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '')

const numberIn = (search: Search, name: string): number | null => {
  const text = String(search[name] ?? '')
  return isNumber(text) ? Number(text) : null
}

/** Whether a text is a numeric id; ids of observables are 32-bit integers. */
const isNumber = (text: string): boolean => /^\d{1,10}$/.test(text) && Number(text) < 2 ** 31

/** Reads the starting point from the address; invalid parts are ignored. */
export function readStart(search: Search): Start {
  const query = search.query === undefined ? null : String(search.query).trim()
  return {
    entities: [...new Set(listIn(search, 'entities').filter((id) => UUID.test(id)))],
    observables: [...new Set(listIn(search, 'observables').filter(isNumber).map(Number))],
    groups: listIn(search, 'groups').flatMap(groupIn),
    dataset: numberIn(search, 'dataset'),
    workspace: numberIn(search, 'workspace'),
    query: query === '' ? null : query,
    graph: numberIn(search, 'graph'),
    isCollapsed: search.consolidation === 'unified',
  }
}

const groupIn = (text: string) => {
  const [, of, group] = /^([eo]:[0-9a-f-]+):([\w-]+)$/i.exec(text) ?? []
  return of && group ? [{ of, group }] : []
}

/** Whether the address contains no starting point. */
export const isEmptyStart = ({ entities, observables, dataset, workspace, query, graph }: Start): boolean =>
  entities.length + observables.length === 0 && [dataset, workspace, query, graph].every((value) => value === null)

const timeIn = (search: Search, name: string): string | null => {
  const time = Date.parse(String(search[name] ?? ''))
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}

/** Reads the filters from the address; null if there are none. */
export function readFilters(search: Search): Filters | null {
  const names = ['hide', 'hide_keys', 'degree', 'from', 'until']
  if (names.every((name) => search[name] === undefined)) return null
  return {
    hiddenTypes: listIn(search, 'hide'),
    hiddenKeys: listIn(search, 'hide_keys').map((key) => (key === '-' ? '' : key)),
    leastDegree: numberIn(search, 'degree') ?? 0,
    from: timeIn(search, 'from'),
    until: timeIn(search, 'until'),
  }
}

/** Writes the filters to the address. */
export const writeFilters = ({ hiddenTypes, hiddenKeys, leastDegree, from, until }: Filters) => ({
  hide: hiddenTypes.length > 0 ? hiddenTypes.join(',') : undefined,
  hide_keys: hiddenKeys.length > 0 ? hiddenKeys.map((key) => key || '-').join(',') : undefined,
  degree: leastDegree > NO_FILTERS.leastDegree ? leastDegree : undefined,
  from: from ?? undefined,
  until: until ?? undefined,
})

/** Writes the nodes of a graph to the address, so that it can be shared. Undefined if there are too many. */
export function writeNodes({ nodes }: Drawing): Readonly<Record<string, string | number>> | undefined {
  if (nodes.size > MAX_NODES_IN_ADDRESS) return undefined
  const list = [...nodes.values()]
  const named = {
    entities: list.flatMap((node) => (node.kind === 'entity' ? [node.id] : [])).join(','),
    observables: list.flatMap((node) => (node.kind === 'observable' ? [node.id] : [])).join(','),
    groups: list.flatMap((node) => (node.kind === 'aggregate' ? [`${node.of}:${node.group.name}`] : [])).join(','),
  }
  const given = Object.entries(named).filter(([, text]) => text !== '')
  // Numbers appear in the URL without quotes.
  return Object.fromEntries(given.map(([name, text]) => [name, /^\d+$/.test(text) ? Number(text) : text]))
}
