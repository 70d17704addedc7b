import { isDocument } from '../../forms/paths.ts'

/** A condition on a field of an entity. */
export interface Condition {
  readonly kind: 'condition'
  /** The path of the field, such as `data.title`. */
  readonly path: string
  readonly isNegated: boolean
  readonly isPattern: boolean
  readonly value: string
}

/** Conditions of which all, or any, must hold. Values are compared as a whole. */
export interface Branch {
  readonly kind: 'branch'
  readonly operator: 'AND' | 'OR'
  readonly nodes: readonly TreeNode[]
}

export type TreeNode = Condition | Branch

/** The position of a node: the indexes from the root. */
export type Place = readonly number[]

export const NEW_CONDITION: Condition = {
  kind: 'condition',
  path: 'data.title',
  isNegated: false,
  isPattern: false,
  value: '',
}

/** A new tree: a root with one condition. */
export const NEW_TREE: Branch = { kind: 'branch', operator: 'AND', nodes: [NEW_CONDITION] }

/** The tree with another node at a place; all other nodes keep their identity. */
export function withNode(tree: Branch, [at, ...rest]: Place, node: TreeNode): Branch {
  if (at === undefined) return node.kind === 'branch' ? node : tree
  const nodes = tree.nodes.map((each, i) =>
    i !== at ? each : rest.length === 0 ? node : each.kind === 'branch' ? withNode(each, rest, node) : each,
  )
  return { ...tree, nodes }
}

/** The tree with a node at the end of the branch at a place. */
export function withAdded(tree: Branch, place: Place, node: TreeNode): Branch {
  const branch = nodeAt(tree, place)
  return branch?.kind === 'branch' ? withNode(tree, place, { ...branch, nodes: [...branch.nodes, node] }) : tree
}

/** The tree without the node at a place. Branches that become empty are removed as well; the root stays. */
export function withoutNode(tree: Branch, place: Place): Branch {
  const parent = place.slice(0, -1)
  const branch = nodeAt(tree, parent)
  if (place.length === 0 || branch?.kind !== 'branch') return tree
  const nodes = branch.nodes.filter((_, i) => i !== place.at(-1))
  if (nodes.length === 0 && parent.length > 0) return withoutNode(tree, parent)
  return withNode(tree, parent, { ...branch, nodes })
}

function nodeAt(tree: Branch, place: Place): TreeNode | undefined {
  return place.reduce<TreeNode | undefined>((node, i) => (node?.kind === 'branch' ? node.nodes[i] : undefined), tree)
}

/** Whether every condition has a path and a value. */
export const isComplete = (node: TreeNode): boolean =>
  node.kind === 'branch'
    ? node.nodes.length > 0 && node.nodes.every(isComplete)
    : node.path.trim() !== '' && node.value !== ''

const NOT: Readonly<Record<string, string>> = { is: 'is not', matches: 'does not match' }

/** A tree in words: `data.title is “x” and (meta.tags is not “y” or …)`. */
export function treeInWords(node: TreeNode, isInner = false): string {
  if (node.kind === 'condition') {
    const [is, value] = node.isPattern ? ['matches', `/${node.value}/`] : ['is', `“${node.value}”`]
    return `${node.path} ${node.isNegated ? NOT[is] : is} ${value}`
  }
  const words = node.nodes.map((each) => treeInWords(each, true)).join(node.operator === 'AND' ? ' and ' : ' or ')
  return isInner && node.nodes.length > 1 ? `(${words})` : words
}

/** The stored form of a tree. */
export function storedTree(node: TreeNode): Readonly<Record<string, unknown>> {
  if (node.kind === 'branch') return { operator: node.operator, conditions: node.nodes.map(storedTree) }
  return {
    path: node.path.trim(),
    operator: node.isNegated ? 'does_not_match' : 'matches',
    ...(node.isPattern ? { expression: node.value } : { value: node.value }),
  }
}

/** A tree from its stored form; undefined if it is not one. */
export function readTree(stored: unknown): Branch | undefined {
  const node = readNode(stored)
  return node?.kind === 'condition' ? { ...NEW_TREE, nodes: [node] } : node
}

function readNode(stored: unknown): TreeNode | undefined {
  if (!isDocument(stored)) return undefined
  const { operator, conditions, path, value, expression } = stored
  if (Array.isArray(conditions)) {
    const nodes = conditions.map(readNode)
    if (!nodes.every((node) => node !== undefined)) return undefined
    return { kind: 'branch', operator: operator === 'OR' ? 'OR' : 'AND', nodes }
  }
  if (typeof path !== 'string') return undefined
  const isPattern = typeof expression === 'string'
  return {
    kind: 'condition',
    path,
    isNegated: operator === 'does_not_match',
    isPattern,
    value: isPattern ? expression : String(value ?? ''),
  }
}
