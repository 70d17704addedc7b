import type { AnyRow, Context } from '../../engine/context.ts'
import type { Operations, Resource } from '../../engine/definition.ts'
import { badRequest, conflict, notFound } from '../../engine/errors.ts'
import { fetchRows } from '../../engine/fetch.ts'
import type { Id } from '../../engine/reference.ts'
import { standard } from '../../engine/standard.ts'
import { createMissingNodes, describeNodes } from './create-nodes.ts'
import type { NodeItem } from './input.ts'
import { isSameOrBelow, type Move, moveNodes } from './move.ts'
import { pathsOf } from './paths.ts'
import { removeNodes } from './remove.ts'
import { findNodes, keyOf, lockTree, type Node, nodesById, shownName, textOf } from './tree.ts'

/** The operations of taxonomies: nodes are created with their ancestors, and moved with their descendants. */
export const taxonomyOperations: Operations = {
  list: standard.list,
  get: standard.get,
  create: async (ctx, resource, item: NodeItem) => {
    await lockTree(ctx)
    const [path = []] = await pathsOf(ctx, [item])
    const nodes = await createMissingNodes(ctx, [{ path, description: item.description }])
    if (!nodes.get(keyOf(path))?.is_made) throw conflict(`The element already exists: path '${textOf(path)}'.`)
    return fetchRows(ctx, resource, idsAlong(nodes, path))
  },
  upsert: upsertNodes,
  update: updateNode,
  remove: removeNodes,
  link: adopt,
  unlink: async (ctx, _resource, id, _field, target) => {
    await lockTree(ctx)
    const node = (await nodesById(ctx, [target])).get(target)
    if (node?.parent !== id) throw notFound(target)
    await moveNodes(ctx, [{ node, parent: null, path: node.path.slice(-1) }])
  },
}

const idsAlong = (nodes: ReadonlyMap<string, { id: number }>, path: readonly string[]): number[] =>
  path.map((_, i) => nodes.get(keyOf(path.slice(0, i + 1)))?.id ?? 0)

async function upsertNodes(
  ctx: Context,
  resource: Resource,
  items: readonly NodeItem[],
): Promise<{ rows: AnyRow[]; created: number }> {
  await lockTree(ctx)
  const paths = await pathsOf(ctx, items)
  const wanted = items.map(({ description }, i) => ({ path: paths[i] ?? [], description }))
  const nodes = await createMissingNodes(ctx, wanted)
  const last = wanted.flatMap(({ path, description }) => {
    const node = nodes.get(keyOf(path))
    return node ? [{ node, description: description ?? node.description ?? '' }] : []
  })
  await describeNodes(
    ctx,
    last.filter(({ node, description }) => !node.is_made && node.description !== description),
  )
  const rows = await fetchRows(
    ctx,
    resource,
    last.map(({ node }) => node.id),
  )
  return { rows, created: [...nodes.values()].filter(({ is_made }) => is_made).length }
}

async function updateNode(ctx: Context, resource: Resource, id: Id, patch: NodeItem): Promise<AnyRow> {
  await lockTree(ctx)
  const node = (await nodesById(ctx, [id])).get(id)
  if (!node) throw notFound(id)
  const move = await destination(ctx, node, patch)
  if (keyOf(move.path) !== keyOf(node.path)) await moveNodes(ctx, [move])
  const description = patch.description === undefined ? node.description : (patch.description ?? '')
  if (description !== node.description) await describeNodes(ctx, [{ node, description }])
  return standard.get(ctx, resource, id)
}

async function destination(ctx: Context, node: Node, { name, parent }: NodeItem): Promise<Move> {
  if (name === null) throw badRequest('name: must not be null')
  const own = name ?? node.path.at(-1) ?? ''
  if (parent === undefined) return { node, parent: node.parent, path: [...node.path.slice(0, -1), own] }
  if (parent === null) return { node, parent, path: [own] }
  const above = (await findNodes(ctx, [parent]))(parent)
  if (!above) throw badRequest(`parent: there is no '${shownName(parent)}' in taxonomies.`)
  if (isSameOrBelow(above.path, node)) throw badRequest('parent: a taxonomy cannot be below itself')
  return { node, parent: above.id, path: [...above.path, own] }
}

/** Makes nodes the children of another node. */
async function adopt(
  ctx: Context,
  _resource: Resource,
  id: Id,
  field: string,
  links: readonly { id: Id }[],
): Promise<void> {
  await lockTree(ctx)
  const ids = [...new Set(links.map((each) => each.id))]
  const nodes = await nodesById(ctx, [id, ...ids])
  const above = nodes.get(id)
  if (!above) throw notFound(id)
  const faults = ids.flatMap((child) => {
    const node = nodes.get(child)
    if (!node) return [`${field}: there is no '${child}' in taxonomies.`]
    return isSameOrBelow(above.path, node) ? [`${field}: '${child}' cannot be below itself`] : []
  })
  if (faults.length > 0) throw badRequest(faults)
  const moves = ids.flatMap((child): Move[] => {
    const node = nodes.get(child)
    return !node || node.parent === id
      ? []
      : [{ node, parent: above.id, path: [...above.path, ...node.path.slice(-1)] }]
  })
  await moveNodes(ctx, moves)
}
