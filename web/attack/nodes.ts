import { queryOptions } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { type Page, searchOf } from '../api/lists.ts'
import { nodeIdOf } from './analyses/analysis.ts'

/** What a table shows of a node. */
export interface NamedNode {
  readonly id: string
  readonly name: string
  readonly type: 'matrix' | 'tactic' | 'technique' | 'subtechnique'
  /** The id of the node above; null for the matrix. */
  readonly parent: string | null
  readonly external_id: string
}

const ATTRIBUTES = 'id,name,type,parent,external_id'

/** The largest page of the API; the largest matrix has half as many live nodes. */
const MAX_NODES = 2_000

/** The live nodes of a matrix, by id. They change only when another version is loaded. */
export const namedNodesQuery = (matrix: string) =>
  queryOptions({
    queryKey: ['attacks', 'names', matrix],
    queryFn: async ({ signal }) => {
      const parameters = { 'filter[matrix]': matrix, attributes: ATTRIBUTES, limit: MAX_NODES }
      const { data } = await call<Page<NamedNode>>('GET', `attacks${searchOf(parameters)}`, undefined, signal)
      return new Map(data.map((node) => [node.id, { ...node, parent: node.parent && nodeIdOf(node.parent) }]))
    },
    staleTime: 300_000,
  })

/** The name of a node with the names of its tactic and its technique. */
export function placeOf(nodes: ReadonlyMap<string, NamedNode>, id: string) {
  const node = nodes.get(id)
  const above = node?.parent ? nodes.get(node.parent) : undefined
  const technique = node?.type === 'subtechnique' ? above : undefined
  const tactic = node?.type === 'subtechnique' ? nodes.get(above?.parent ?? '') : above
  return { node, technique, tactic: tactic?.type === 'tactic' ? tactic : undefined }
}
