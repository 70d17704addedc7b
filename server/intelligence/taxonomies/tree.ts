import { type RawBuilder, sql } from 'kysely'
import { forbidden } from '../../engine/errors.ts'
import { diff, logged as note } from '../../engine/log.ts'
import type { Id } from '../../engine/reference.ts'
import type { Context } from '../../engine/resource.ts'
import { resourceOf } from '../../engine/select.ts'
import type { ParentName } from './input.ts'

/** A node, as far as a change of the tree needs to know. */
export interface Node {
  readonly id: number
  readonly parent: number | null
  readonly path: readonly string[]
  readonly description: string
  readonly is_system: boolean
}

// Any constant will do, as long as nothing else in the database locks by it.
const TREE_LOCK = 0x74726565

/**
 * Lets one request at a time change the tree: two moves that are fine alone could make a cycle together,
 * and a node that is made while its parent moves would keep the old path.
 */
export async function lockTree({ db }: Pick<Context, 'db'>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${TREE_LOCK})`.execute(db)
}

/** The nodes of these ids. */
export async function nodesById({ db }: Pick<Context, 'db'>, ids: readonly Id[]): Promise<Map<Id, Node>> {
  const { rows } = await sql<Node>`
    select id, parent, path, description, is_system
    from taxonomies
    where id = any(${ids}::integer[])`.execute(db)
  return new Map(rows.map((node) => [node.id, node]))
}

/** Finds nodes by what requests call them. */
export async function findNodes(
  { db }: Pick<Context, 'db'>,
  names: readonly ParentName[],
): Promise<(name: ParentName) => Node | undefined> {
  if (names.length === 0) return () => undefined
  const ids = names.filter((name) => typeof name === 'number')
  const texts = names.flatMap((name) => (typeof name === 'number' ? [] : [textOf(name)]))
  // A name may have slashes in it, so that one text is the path of two nodes: the deeper one is meant.
  const { rows } = await sql<Node>`
    select id, parent, path, description, is_system
    from taxonomies
    where id = any(${ids}::integer[]) or array_to_string(path, '/') = any(${texts}::text[])
    order by cardinality(path)`.execute(db)
  const byName = new Map<string | number, Node>(
    rows.flatMap((node) => [
      [node.id, node],
      [textOf(node.path), node],
    ]),
  )
  const byPath = new Map(rows.map((node) => [keyOf(node.path), node]))
  return (name) => (typeof name === 'object' ? byPath.get(keyOf(name)) : byName.get(name))
}

/** A path as one text; several paths may have the same. */
export const textOf = (path: string | readonly string[]): string => (typeof path === 'string' ? path : path.join('/'))

/** What requests call a node, cut short for an answer. */
export const shownName = (name: ParentName): string =>
  (typeof name === 'number' ? String(name) : textOf(name)).slice(0, 200)

/** A path as a key of its own. */
export const keyOf = (path: readonly string[]): string => JSON.stringify(path)

/** Refuses to change what the platform counts on. */
export function refuseSystem(nodes: Iterable<Pick<Node, 'path' | 'is_system'>>): void {
  for (const { path, is_system } of nodes) {
    if (is_system)
      throw forbidden(`The taxonomy '${textOf(path)}' belongs to the system: it cannot be changed or deleted.`)
  }
}

/** Notes in the log of changes which nodes a statement touched, and what their `diff` says. */
export const logged = (ctx: Context, kind: string, rows: RawBuilder<unknown>): RawBuilder<unknown> =>
  note(ctx, { collection: 'taxonomies' }, kind, rows, true)

/** What changes in nodes of a tree that is locked, between the rows `was` and `t`. */
export const changedIn = (ctx: Context): RawBuilder<unknown> =>
  diff(resourceOf(ctx, 'taxonomies'), 'was', 't', ['name', 'description', 'parent'])
