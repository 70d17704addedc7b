import { call } from '../api/call.ts'
import { type Page, type Parameters, searchOf } from '../api/lists.ts'
import { defangText } from '../domain/defang-text.ts'
import type { Start } from './address.ts'
import {
  type Drawing,
  type EntityNode,
  entityKey,
  type GraphEdge,
  type Group,
  type ObservableNode,
  observableKey,
} from './model.ts'

/** Nodes and edges, as returned by the API. */
export interface Answer {
  readonly nodes: readonly (EntityNode | ObservableNode)[]
  readonly edges: ReadonlyMap<string, GraphEdge>
  readonly edgesLeftOut: number
}

interface RelationshipEdge {
  readonly kind: 'relationship'
  readonly id: string
  readonly source: string
  readonly target: string
  readonly key: string
}

interface ObservableEdge {
  readonly kind: 'observable'
  readonly source: string
  readonly target: number
  readonly link_type: string | null
}

interface UnifiesEdge {
  readonly kind: 'unifies'
  readonly source: string
  readonly target: string
}

type ApiEdge = RelationshipEdge | ObservableEdge | UnifiesEdge

/** The parameter for graphs in which unified entities stand for their contributors. */
export const consolidationOf = (isCollapsed: boolean) => (isCollapsed ? { consolidation: 'unified' } : {})

interface NodesAnswer {
  readonly data: {
    readonly nodes: readonly (EntityNode | ObservableNode)[]
    readonly edges: readonly ApiEdge[]
    readonly total_edge_count: number
  }
}

const idsIn = (keys: Iterable<string>) => {
  const entities: string[] = []
  const observables: number[] = []
  for (const key of keys) {
    if (key.startsWith('e:')) entities.push(key.slice(2))
    else if (key.startsWith('o:')) observables.push(Number(key.slice(2)))
  }
  return { entities, observables }
}

/** Loads nodes by key, with all edges among them and to nodes in the graph. */
export async function readNodes(keys: readonly string[], drawing: Drawing): Promise<Answer> {
  if (keys.length === 0) return { nodes: [], edges: new Map(), edgesLeftOut: 0 }
  const own = new Set(keys)
  const { entities, observables } = idsIn([...drawing.nodes.keys()].filter((key) => !own.has(key)))
  const body = {
    ...idsIn(keys),
    known_entities: entities,
    known_observables: observables,
    ...consolidationOf(drawing.isCollapsed),
  }
  const { data } = await call<NodesAnswer>('POST', 'graph/nodes', { data: body })
  return {
    nodes: data.nodes.map((node) => (node.kind === 'entity' ? { ...node, title: defangText(node.title) } : node)),
    edges: new Map(data.edges.map(edgeOf)),
    edgesLeftOut: data.total_edge_count - data.edges.length,
  }
}

function edgeOf(edge: ApiEdge): [string, GraphEdge] {
  const source = entityKey(edge.source)
  if (edge.kind === 'unifies') {
    const target = entityKey(edge.target)
    return [`${source} ${target}`, { kind: 'unifies', source, target, label: 'unifies' }]
  }
  if (edge.kind === 'relationship')
    return [edge.id, { kind: 'relationship', source, target: entityKey(edge.target), label: edge.key }]
  const target = observableKey(edge.target)
  return [`${source} ${target}`, { kind: 'observable', source, target, label: edge.link_type ?? 'has' }]
}

interface Neighbourhood {
  readonly neighbours: readonly {
    readonly key: string
    readonly direction: 'out' | 'in'
    readonly entity_type: string
    readonly group: string
    readonly count: number
    readonly next_offset: number | null
    readonly entities: readonly { readonly id: string }[]
  }[]
  readonly observables:
    | readonly {
        readonly type: string
        readonly group: string
        readonly count: number
        readonly next_offset: number | null
        readonly observables: readonly { readonly id: number }[]
      }[]
    | null
}

const neighbourhood = async (id: string, parameters: Parameters): Promise<Neighbourhood> =>
  (await call<{ data: Neighbourhood }>('GET', `entities/${id}/neighbourhood${searchOf(parameters)}`)).data

/** The groups of neighbours around a node, with exact counts. */
export async function readGroups(key: string, isCollapsed: boolean): Promise<readonly Group[]> {
  const id = key.slice(2)
  if (key.startsWith('o:')) {
    const search = searchOf({ fields: 'type', 'filter[observables]': id, limit: 100, ...consolidationOf(isCollapsed) })
    const counts = await call<{ data: { count: number; value: string }[] }>(
      'GET',
      `aggregations/entities/counts${search}`,
    )
    return counts.data.map(({ count, value }) => ({
      kind: 'holder',
      name: value,
      direction: 'in',
      key: '',
      type: value,
      count,
    }))
  }
  const { neighbours, observables } = await neighbourhood(id, { limit: 1, ...consolidationOf(isCollapsed) })
  return [
    ...neighbours.map(
      ({ key: own, direction, entity_type, group, count }): Group => ({
        kind: 'relationship',
        name: group,
        direction,
        key: own,
        type: entity_type,
        count,
      }),
    ),
    ...(observables ?? []).map(
      ({ type, group, count }): Group => ({ kind: 'observable', name: group, direction: 'out', key: '', type, count }),
    ),
  ]
}

/** The number of group members per request. */
const PART_SIZE = 500

/** Loads a part of a group: its members, and the next offset. */
export async function readPart(
  of: string,
  { kind, name }: Group,
  offset: number,
  isCollapsed: boolean,
): Promise<{ readonly keys: readonly string[]; readonly next: number | null }> {
  const id = of.slice(2)
  if (kind === 'holder') {
    const held = { 'filter[observables]': id, 'filter[type]': name, ...consolidationOf(isCollapsed) }
    const page = await entityIds({ ...held, limit: PART_SIZE, offset })
    const end = offset + page.keys.length
    return { keys: page.keys, next: page.keys.length > 0 && end < page.total ? end : null }
  }
  const { neighbours, observables } = await neighbourhood(id, {
    group: name,
    limit: PART_SIZE,
    offset,
    ...consolidationOf(isCollapsed),
  })
  const [entities, values] = [neighbours[0], observables?.[0]]
  if (entities) return { keys: entities.entities.map((each) => entityKey(each.id)), next: entities.next_offset }
  return { keys: values?.observables.map((each) => observableKey(each.id)) ?? [], next: values?.next_offset ?? null }
}

async function entityIds(parameters: Parameters, path = 'entities') {
  const search = searchOf({ attributes: 'id', 'meta[total_resources_aggregated]': 0, ...parameters })
  const page = await call<Page<{ id: string }>>('GET', `${path}${search}`)
  return { keys: page.data.map(({ id }) => entityKey(id)), total: page.total_count }
}

/** At most this many entities of a query, dataset or workspace are loaded at first. */
export const MAX_START_ENTITIES = 500

/** Loads the starting nodes of an address, and the total number for queries, datasets and workspaces. */
export async function loadStartNodes(
  start: Start,
): Promise<{ readonly keys: readonly string[]; readonly left: number; readonly total: number }> {
  const named = [...start.entities.map(entityKey), ...start.observables.map(observableKey)]
  const parts = await Promise.all([
    ...(start.dataset === null ? [] : [entityIds({ 'filter[datasets]': start.dataset, limit: MAX_START_ENTITIES })]),
    ...(start.query === null ? [] : [entityIds({ query: start.query, limit: MAX_START_ENTITIES })]),
    ...(start.workspace === null
      ? []
      : [entityIds({ limit: MAX_START_ENTITIES }, `workspaces/${start.workspace}/entities`)]),
  ])
  return {
    keys: [...new Set([...named, ...parts.flatMap(({ keys }) => keys)])],
    left: parts.reduce((sum, { keys, total }) => sum + total - keys.length, 0),
    total: parts.reduce((sum, { total }) => sum + total, 0),
  }
}

/** At most this many nodes are added when several nodes are expanded at once. */
export const MAX_EXPANDED = 500

/** The neighbours of several nodes, those with the most edges first, and their total number. */
export async function expandMany(
  keys: readonly string[],
  via: 'relationships' | 'both',
  isCollapsed: boolean,
): Promise<{ readonly keys: readonly string[]; readonly total: number }> {
  const body = { ...idsIn(keys), via, limit: MAX_EXPANDED, ...consolidationOf(isCollapsed) }
  const { data } = await call<{
    data: { nodes: (EntityNode | ObservableNode)[]; total_count: number }
  }>('POST', 'graph/expand', { data: body })
  const found = data.nodes.map((node) => (node.kind === 'entity' ? entityKey(node.id) : observableKey(node.id)))
  return { keys: found, total: data.total_count }
}
