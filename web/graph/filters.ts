import { refang } from '../../server/domain/observables/refang.ts'
import { type Drawing, type Filters, type GraphNode, NO_FILTERS } from './model.ts'
import { typeOf } from './names.ts'

/** The visible part of a graph. */
export interface Shown {
  readonly nodes: ReadonlySet<string>
  /** Visible edges by key. */
  readonly edges: ReadonlySet<string>
}

/** The time of observation or, without one, of creation. */
export function timeOf(node: GraphNode): string | null {
  if (node.kind === 'aggregate') return null
  return (node.kind === 'entity' ? node.observed_at : null) ?? node.created_at
}

/** Applies the filters. Degrees count visible neighbours; nodes with too few are then hidden, once. */
export function shownOf(drawing: Drawing): Shown {
  const { hiddenTypes, hiddenKeys, leastDegree, from, until } = drawing.filters
  const [types, keys] = [new Set(hiddenTypes), new Set(hiddenKeys)]
  const [first, last] = [from === null ? -Infinity : Date.parse(from), until === null ? Infinity : Date.parse(until)]
  const isTimely = (node: GraphNode) => {
    const time = timeOf(node)
    return time === null || (Date.parse(time) >= first && Date.parse(time) <= last)
  }
  const nodes = new Set<string>()
  for (const [key, node] of drawing.nodes) if (!types.has(typeOf(node)) && isTimely(node)) nodes.add(key)
  const edges = [...drawing.edges].filter(
    ([, { source, target, label }]) => nodes.has(source) && nodes.has(target) && !keys.has(label),
  )
  if (leastDegree > 0)
    hideByDegree(
      drawing,
      nodes,
      edges.map(([, edge]) => edge),
      leastDegree,
    )
  for (const [key, node] of drawing.nodes) if (node.kind === 'aggregate' && !nodes.has(node.of)) nodes.delete(key)
  const both = edges.filter(([, { source, target }]) => nodes.has(source) && nodes.has(target))
  return { nodes, edges: new Set(both.map(([key]) => key)) }
}

function hideByDegree(
  drawing: Drawing,
  nodes: Set<string>,
  edges: readonly { readonly source: string; readonly target: string }[],
  least: number,
): void {
  const around = new Map<string, Set<string>>()
  const note = (a: string, b: string) => around.set(a, (around.get(a) ?? new Set()).add(b))
  for (const { source, target } of edges) {
    note(source, target)
    note(target, source)
  }
  // An aggregate counts as one neighbour, however many members it has.
  for (const key of nodes) {
    const node = drawing.nodes.get(key)
    if (node?.kind === 'aggregate') note(node.of, key)
  }
  for (const key of [...nodes]) {
    if (drawing.nodes.get(key)?.kind !== 'aggregate' && (around.get(key)?.size ?? 0) < least) nodes.delete(key)
  }
}

/** The total number of something, and how many are shown. */
export interface Count {
  readonly name: string
  readonly count: number
  readonly shown: number
}

/** The number of nodes of each type, most frequent first. */
export function typesIn(drawing: Drawing, shown: Shown): readonly Count[] {
  const list = [...drawing.nodes].filter(([, { kind }]) => kind !== 'aggregate')
  return tally(list.map(([key, node]) => [typeOf(node), shown.nodes.has(key)]))
}

/** The number of edges of each relationship type, most frequent first. */
export const keysIn = (drawing: Drawing, shown: Shown): readonly Count[] =>
  tally([...drawing.edges].map(([key, { label }]) => [label, shown.edges.has(key)]))

function tally(entries: readonly (readonly [name: string, isShown: boolean])[]): readonly Count[] {
  const counts = new Map<string, { name: string; count: number; shown: number }>()
  for (const [name, isShown] of entries) {
    const entry = counts.get(name) ?? { name, count: 0, shown: 0 }
    counts.set(name, { name, count: entry.count + 1, shown: entry.shown + Number(isShown) })
  }
  return [...counts.values()].sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
}

/** Adds an item to a list, or removes it. */
export const toggled = (list: readonly string[], name: string): readonly string[] =>
  list.includes(name) ? list.filter((each) => each !== name) : [...list, name]

/** Whether any filter is set. */
export const isFiltered = ({ hiddenTypes, hiddenKeys, leastDegree, from, until }: Filters): boolean =>
  hiddenTypes.length + hiddenKeys.length > 0 ||
  leastDegree !== NO_FILTERS.leastDegree ||
  from !== NO_FILTERS.from ||
  until !== NO_FILTERS.until

/** The nodes whose label contains a text, ignoring case and defanging. */
export function found(labels: ReadonlyMap<string, string>, text: string): readonly string[] {
  const sought = refang(text.trim()).toLowerCase()
  if (sought === '') return [...labels.keys()]
  return [...labels].flatMap(([key, label]) => (refang(label).toLowerCase().includes(sought) ? [key] : []))
}
