import { sql } from 'kysely'
import type { z } from 'zod'
import { findSeen, keyOf, type Seen } from '../../changes/history-events/seen.ts'
import type { AnyRow, Context, Item } from '../../engine/context.ts'
import type { Operations } from '../../engine/definition.ts'
import { standard } from '../../engine/standard.ts'
import type { graphContent } from './content.ts'

/** A graph created without content has none of these parts. */
type Content = Partial<z.output<typeof graphContent>>
type Node = Pick<z.output<typeof graphContent>['nodes'][number], 'kind' | 'id'>

interface Stored {
  readonly id: number
  readonly name: string
  readonly workspace: number
  readonly content: Content
}

/** The standard graphOperations, except that a graph shows only the nodes visible to the caller. Saving keeps the others. */
export const graphOperations: Operations = {
  ...standard,
  list: async (ctx, resource, plan) => {
    const page = await standard.list(ctx, resource, plan)
    return { ...page, rows: await shown(ctx, page.rows) }
  },
  get: async (ctx, resource, id) => one(await shown(ctx, [await standard.get(ctx, resource, id)])),
  create: async (ctx, resource, item) => one(await shown(ctx, [await standard.create(ctx, resource, item)].flat())),
  upsert: async (ctx, resource, items: Item[]) => {
    const { rows: stored } = await sql<Stored>`
      select id, name, workspace, content from graphs
      where name = any(${items.map(({ name }) => name)}::text[])
      order by id
      for update`.execute(ctx.db)
    const isSame = (item: Item) => (graph: Stored) => graph.name === item.name && graph.workspace === item.workspace
    const kept = await keepUnseen(
      ctx,
      items.map((item) => ({ item, stored: stored.find(isSame(item)) })),
    )
    const { rows, created } = await standard.upsert(ctx, resource, kept)
    return { rows: await shown(ctx, rows), created }
  },
  update: async (ctx, resource, id, patch: Item) => {
    const { rows: stored } = await sql<Stored>`
      select id, name, workspace, content from graphs where id = ${id} for update`.execute(ctx.db)
    const [kept = patch] = await keepUnseen(ctx, [{ item: patch, stored: stored[0] }])
    return one(await shown(ctx, [await standard.update(ctx, resource, id, kept)]))
  },
}

const one = (rows: readonly AnyRow[]): AnyRow => rows[0] as AnyRow

const collectionOf = ({ kind }: Node) => (kind === 'entity' ? ('entities' as const) : ('observables' as const))

const isIn = (seen: Seen, node: Node): boolean => seen.has(keyOf(collectionOf(node), node.id))

const seenAmong = (ctx: Context, nodes: readonly Node[]): Promise<Seen> =>
  findSeen(
    ctx,
    nodes.map((node) => ({ to: collectionOf(node), id: node.id })),
  )

const nodesOf = ({ nodes = [], aggregates = [] }: Content): Node[] => [...nodes, ...aggregates.map(({ of }) => of)]

/** Graphs with the content that the caller can see. */
async function shown(ctx: Context, rows: readonly AnyRow[]): Promise<AnyRow[]> {
  const contents = rows.flatMap(({ content }) => (content ? [content as Content] : []))
  const seen = await seenAmong(ctx, contents.flatMap(nodesOf))
  return rows.map((row) => {
    if (!row.content) return row
    const content = row.content as Content
    const { nodes, aggregates } = content
    return {
      ...row,
      content: {
        ...content,
        ...(nodes && { nodes: nodes.filter((node) => isIn(seen, node)) }),
        ...(aggregates && { aggregates: aggregates.filter(({ of }) => isIn(seen, of)) }),
      },
    }
  })
}

/** Adds the stored nodes that the caller cannot see to the content of items. */
async function keepUnseen(
  ctx: Context,
  items: readonly { readonly item: Item; readonly stored: Stored | undefined }[],
): Promise<Item[]> {
  const all = items.flatMap(({ stored }) => (stored ? nodesOf(stored.content) : []))
  const seen = await seenAmong(ctx, all)
  const unseen = await existing(
    ctx,
    all.filter((node) => !isIn(seen, node)),
  )
  return items.map(({ item, stored }) => {
    const content = item.content as Content | null | undefined
    if (!stored || !content) return item
    const { nodes = [], aggregates = [] } = stored.content
    return {
      ...item,
      content: {
        ...content,
        ...(content.nodes && { nodes: [...content.nodes, ...nodes.filter((node) => isIn(unseen, node))] }),
        ...(content.aggregates && {
          aggregates: [...content.aggregates, ...aggregates.filter(({ of }) => isIn(unseen, of))],
        }),
      },
    }
  })
}

/** The nodes that still exist, visible to the caller or not. Deleted ones need not be kept. */
async function existing(ctx: Context, nodes: readonly Node[]): Promise<Seen> {
  if (nodes.length === 0) return new Set()
  const ids = (kind: Node['kind']) => nodes.flatMap((node) => (node.kind === kind ? [node.id] : []))
  const { rows } = await sql<{ key: string }>`
    select 'entities ' || e.id as key from entities as e where e.id = any(${ids('entity')}::uuid[])
    union all
    select 'observables ' || o.id from observables as o where o.id = any(${ids('observable')}::integer[])`.execute(
    ctx.db,
  )
  return new Set(rows.map(({ key }) => key))
}
