import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { type Page, searchOf } from '../../api/lists.ts'
import { nodeIdOf } from '../analyses/analysis.ts'
import type { NamedNode } from '../nodes.ts'

/** A technique or sub-technique below one tactic. */
export interface Place {
  readonly id: string
  readonly name: string
  readonly externalId: string
  readonly platforms: readonly string[]
  /** The technique of a sub-technique; null for techniques. */
  readonly parent: string | null
  readonly subs: readonly Place[]
}

/** A tactic with its techniques. */
export interface Tactic {
  readonly id: string
  readonly name: string
  readonly externalId: string
  readonly techniques: readonly Place[]
}

/** The live nodes of a matrix, in its order. */
export interface MatrixTree {
  readonly tactics: readonly Tactic[]
  /** Techniques and sub-techniques by id. */
  readonly places: ReadonlyMap<string, Place>
  /** The names of all platforms, sorted. */
  readonly platforms: readonly string[]
}

/** A node as the list of nodes has it. */
export interface ListedNode extends NamedNode {
  readonly position: number
  readonly platforms: readonly string[]
}

/** The largest page of the API; the largest matrix has half as many live nodes. */
const MAX_NODES = 2_000

/** The tree of a matrix. It changes only when another version is loaded. */
export const matrixTreeQuery = (matrix: string) =>
  queryOptions({
    queryKey: ['attacks', 'tree', matrix],
    queryFn: async ({ signal }) => {
      const attributes = 'id,name,type,parent,external_id,position,platforms'
      const search = searchOf({ 'filter[matrix]': matrix, attributes, limit: MAX_NODES })
      return treeOf((await call<Page<ListedNode>>('GET', `attacks${search}`, undefined, signal)).data)
    },
    staleTime: 300_000,
  })

/** Arranges nodes below each other. */
export function treeOf(nodes: readonly ListedNode[]): MatrixTree {
  const inOrder = nodes.toSorted((a, b) => a.position - b.position)
  const byParent = Map.groupBy(inOrder, ({ parent }) => (parent === null ? '' : nodeIdOf(parent)))
  const places = new Map<string, Place>()
  const placed = (node: ListedNode, parent: string | null): Place => {
    const { id, name, external_id, platforms } = node
    const below = parent === null ? (byParent.get(id) ?? []) : []
    const place = { id, name, externalId: external_id, platforms, parent, subs: below.map((sub) => placed(sub, id)) }
    places.set(id, place)
    return place
  }
  const tactics = inOrder
    .filter(({ type }) => type === 'tactic')
    .map(({ id, name, external_id }) => ({
      id,
      name,
      externalId: external_id,
      techniques: (byParent.get(id) ?? []).map((node) => placed(node, null)),
    }))
  return { tactics, places, platforms: [...new Set(nodes.flatMap(({ platforms }) => platforms))].toSorted() }
}
