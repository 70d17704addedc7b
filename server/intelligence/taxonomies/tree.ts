import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { forbidden } from '../../engine/errors.ts'
import { diff, logged as note } from '../../engine/log.ts'
import type { Id } from '../../engine/reference.ts'
import { resourceOf } from '../../engine/select.ts'
import type { ParentName } from './input.ts'

/** The fields of a node that changes of the tree need. */
export interface Node {
  readonly id: number
  readonly parent: number | null
  readonly path: readonly string[]
  readonly description: string
  readonly is_system: boolean
}

// The key of an advisory lock. Any number that no other lock uses will do.
const TREE_LOCK = 0x74726565

/**
 * Lets only one request at a time change the tree. Two moves that are each valid could create a cycle together, and a node that is
 * created while its parent moves would keep the old path.
 */
export async function lockTree({ db }: Pick<Context, 'db'>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${TREE_LOCK})`.execute(db)
}

/** Reads nodes by id. */
export async function nodesById({ db }: Pick<Context, 'db'>, ids: readonly Id[]): Promise<Map<Id, Node>> {
  const { rows } = await sql<Node>`
    select id, parent, path, description, is_system
    from taxonomies
    where id = any(${ids}::integer[])`.execute(db)
  return new Map(rows.map((node) => [node.id, node]))
}

/** Finds nodes by their id, or by their path as text or as a list. */
export async function findNodes(
  { db }: Pick<Context, 'db'>,
  names: readonly ParentName[],
): Promise<(name: ParentName) => Node | undefined> {
  if (names.length === 0) return () => undefined
  const ids = names.filter((name) => typeof name === 'number')
  const texts = names.flatMap((name) => (typeof name === 'number' ? [] : [textOf(name)]))
  // Names can contain slashes, so that a text may be the path of two nodes. It then means the deeper one.
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

/** A path as text for people. It is ambiguous if names contain slashes. */
export const textOf = (path: string | readonly string[]): string => (typeof path === 'string' ? path : path.join('/'))

/** The node of a request, shortened for an error message. */
export const shownName = (name: ParentName): string =>
  (typeof name === 'number' ? String(name) : textOf(name)).slice(0, 200)

/** A path as an unambiguous key. */
export const keyOf = (path: readonly string[]): string => JSON.stringify(path)

/** Refuses changes of system nodes, which the platform depends on. */
export function refuseSystem(nodes: Iterable<Pick<Node, 'path' | 'is_system'>>): void {
  for (const { path, is_system } of nodes) {
    if (is_system) throw forbidden(`The taxonomy '${textOf(path)}' is a system node and cannot be changed or deleted.`)
  }
}

/** Logs the changes of nodes that a statement made, with their `diff`. */
export const logged = (ctx: Context, kind: string, rows: RawBuilder<unknown>): RawBuilder<unknown> =>
  note(ctx, { collection: 'taxonomies' }, kind, rows, true)

/** The difference between the rows `was` and `t` of nodes in a locked tree. */
export const changedIn = (ctx: Context): RawBuilder<unknown> =>
  diff(resourceOf(ctx, 'taxonomies'), 'was', 't', ['name', 'description', 'parent'])
