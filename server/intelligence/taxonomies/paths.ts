import { duplicateFaults, itemPrefix } from '../../engine/bulk-errors.ts'
import type { Context } from '../../engine/context.ts'
import { badRequest } from '../../engine/errors.ts'
import { MAX_DEPTH, type NodeItem, type ParentName } from './input.ts'
import { findNodes, keyOf, shownName } from './tree.ts'

/** Resolves the full path of every node in a request. Responds 400 with all errors at once. */
export async function pathsOf(ctx: Context, items: readonly NodeItem[]): Promise<string[][]> {
  const parents = items.map(({ parent }) => parent).filter(isGiven)
  const find = await findNodes(ctx, parents)
  const above = (parent: ParentName | null | undefined): readonly string[] | undefined => {
    if (!isGiven(parent)) return []
    return find(parent)?.path ?? namesIn(parent)
  }
  const paths = items.map(({ path, name, parent }) => [...(path ?? [...(above(parent) ?? []), name ?? ''])])
  const comingKeys = new Set(items.flatMap((item, i) => keysOf(item, paths[i] ?? [])))
  // A parent may also be a node that the same request creates.
  const isThere = (parent: ParentName): boolean =>
    find(parent) !== undefined || (typeof parent !== 'number' && comingKeys.has(keyOf(above(parent) ?? [])))
  const faults = items.flatMap((item, i) => {
    const path = paths[i] ?? []
    return faultsOf(item, path, above(item.parent), isThere).map((fault) => `${itemPrefix(items, i)}${fault}`)
  })
  if (faults.length > 0) throw badRequest(faults)
  const duplicates = duplicateFaults(paths, keyOf, 'parent and name')
  if (duplicates.length > 0) throw badRequest(duplicates)
  return paths
}

const isGiven = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined

const namesIn = (parent: ParentName): string[] | undefined =>
  typeof parent === 'string' ? parent.split('/') : Array.isArray(parent) ? parent : undefined

/** The nodes that an item creates: all of its path or, without one, only itself, because its parent must exist. */
const keysOf = (item: NodeItem, path: readonly string[]): string[] =>
  item.path ? path.map((_, i) => keyOf(path.slice(0, i + 1))) : [keyOf(path)]

function faultsOf(
  { name, parent, path: whole }: NodeItem,
  path: readonly string[],
  above: readonly string[] | undefined,
  isThere: (parent: ParentName) => boolean,
): string[] {
  if (isGiven(parent) && !isThere(parent)) return [`parent: there is no '${shownName(parent)}' in taxonomies.`]
  if (!whole && !isGiven(name)) return ['name: is required without path']
  if (path.length > MAX_DEPTH) return [`parent: a tree can have at most ${MAX_DEPTH} levels`]
  if (!whole) return []
  const isOther = isGiven(name) && name !== path.at(-1)
  const isElsewhere = parent !== undefined && keyOf(above ?? []) !== keyOf(path.slice(0, -1))
  return [
    ...(isOther ? ['name: does not match the last name of path'] : []),
    ...(isElsewhere ? ['parent: does not match path'] : []),
  ]
}
