import { call } from '../api/call.ts'
import type { Graph } from '../api/resources.ts'
import type { Start } from './address.ts'
import { replacedKeys, withStandIns } from './collapse.ts'
import { scatter } from './layouts.ts'
import {
  type AggregateNode,
  addTo,
  aggregateKey,
  type Drawing,
  emptyGraph,
  type Filters,
  type Group,
  keyOf,
  NO_FILTERS,
} from './model.ts'
import { counted, manyOf } from './names.ts'
import { loadStartNodes, readGroups, readNodes } from './requests.ts'
import { filtersIn, ownerKey, positionsIn } from './saved-graph.ts'

/** A graph as it is opened. */
export interface Loaded {
  readonly drawing: Drawing
  /** Notices for the user: missing nodes and omitted edges. */
  readonly notices: readonly string[]
  readonly saved: Graph | null
  /** Whether positions are known, so that no layout is needed. */
  readonly isPlaced: boolean
}

/** Loads the graph that an address describes. */
export async function loadStart(start: Start, filters: Filters | null, maySeeObservables: boolean): Promise<Loaded> {
  if (start.graph !== null) {
    const { data: saved } = await call<{ data: Graph }>('GET', `graphs/${start.graph}`)
    const positions = positionsIn(saved.content)
    const groups = saved.content.aggregates.map(({ of, group }) => ({ of: ownerKey(of), group }))
    const keys = saved.content.nodes.map(ownerKey)
    const loaded = await load(keys, groups, maySeeObservables, start.isCollapsed)
    const nodes = [...loaded.drawing.nodes.values()]
    const drawing = addTo(emptyGraph(start.isCollapsed), {
      nodes,
      edges: loaded.drawing.edges,
      positions: withStandIns(positions, nodes),
    })
    return {
      ...loaded,
      drawing: { ...drawing, filters: filters ?? filtersIn(saved.content) },
      saved,
      isPlaced: true,
    }
  }
  const { keys, left, total } = await loadStartNodes(start)
  const { drawing, notices } = await load(keys, start.groups, maySeeObservables, start.isCollapsed)
  const cut =
    left === 0
      ? []
      : [
          `Showing the first ${counted(total - left)} of ${counted(total)} entities. Narrow the query to see others, or expand nodes.`,
        ]
  return {
    drawing: { ...drawing, filters: filters ?? NO_FILTERS },
    notices: [...cut, ...notices],
    saved: null,
    isPlaced: false,
  }
}

async function load(
  wanted: readonly string[],
  groups: Start['groups'],
  maySeeObservables: boolean,
  isCollapsed: boolean,
): Promise<{ readonly drawing: Drawing; readonly notices: readonly string[] }> {
  const keys = maySeeObservables ? wanted : wanted.filter((key) => !key.startsWith('o:'))
  const { nodes, edges, edgesLeftOut } = await readNodes(keys, emptyGraph(isCollapsed))
  const plain = addTo(emptyGraph(isCollapsed), { nodes, edges, positions: new Map() })
  const aggregates = await readAggregates(
    groups.filter(({ of }) => plain.nodes.has(of)),
    isCollapsed,
  )
  const drawing = addTo(plain, { nodes: aggregates, edges: new Map(), positions: new Map() })
  const positions = new Map(
    [...scatter(drawing, [...drawing.nodes.keys()])].map(([key, at]) => [key, { ...at, isPinned: false }]),
  )
  const found = new Set([...nodes.map(keyOf), ...nodes.flatMap(replacedKeys)])
  const missing = wanted.filter((key) => !found.has(key)).length
  return {
    drawing: { ...drawing, positions },
    notices: [
      ...(missing === 0 ? [] : [`${manyOf(missing, 'node')} cannot be shown: deleted, or not visible to you.`]),
      ...edgeNotice(edgesLeftOut),
    ],
  }
}

/** A notice if not all edges could be loaded. */
export const edgeNotice = (left: number): readonly string[] =>
  left > 0
    ? [`${manyOf(left, 'edge')} between the nodes ${left === 1 ? 'is' : 'are'} not shown: there are too many.`]
    : []

/** Reloads aggregates with their current counts; those without members are dropped. */
async function readAggregates(wanted: Start['groups'], isCollapsed: boolean): Promise<readonly AggregateNode[]> {
  const owners = [...new Set(wanted.map(({ of }) => of))]
  const groups = new Map<string, readonly Group[]>()
  // A few at a time, because a graph may have very many.
  for (let i = 0; i < owners.length; i += 4) {
    await Promise.all(owners.slice(i, i + 4).map(async (of) => groups.set(of, await readGroups(of, isCollapsed))))
  }
  const found = wanted.flatMap(({ of, group: name }): [string, AggregateNode][] => {
    const group = groups.get(of)?.find((each) => each.name === name)
    return group ? [[aggregateKey(of, group), { kind: 'aggregate', of, group, offset: 0 }]] : []
  })
  return [...new Map(found).values()]
}
