import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { changedIn, keyOf, logged, type Node, refuseSystem } from './tree.ts'

/** A node that a request wants to exist. */
export interface Wanted {
  readonly path: readonly string[]
  readonly description?: string | null | undefined
}

interface Grown extends Pick<Node, 'id' | 'path' | 'is_system'> {
  readonly description: string | null
  readonly is_made: boolean
}

/** Creates these nodes and their ancestors where missing, in a locked tree. Returns all nodes by the keys of their paths. */
export async function createMissingNodes(ctx: Context, wanted: readonly Wanted[]): Promise<Map<string, Grown>> {
  const prefixes = wanted.flatMap(({ path }) => path.map((_, i) => path.slice(0, i + 1)))
  const asked = new Map(wanted.map(({ path, description }) => [keyOf(path), description ?? '']))
  const keys = [...new Set(prefixes.map(keyOf))]
  const { rows } = await sql<Grown>`
    with asked as (
      select array(select n.name from jsonb_array_elements_text(a.path) with ordinality as n(name, at) order by n.at) as path,
        a.description
      from unnest(${keys}::jsonb[], ${keys.map((key) => asked.get(key) ?? '')}::text[]) as a(path, description)
    ), nodes as materialized (
      select a.path, a.description as wanted, t.description, coalesce(t.is_system, false) as is_system, t.id is null as is_made,
        coalesce(t.id, nextval(pg_get_serial_sequence('taxonomies', 'id'))::integer) as id
      from asked as a left join taxonomies as t on t.path = a.path
    ), made as (
      insert into taxonomies (id, name, parent, path, description, created_by, last_updated_by)
      select n.id, n.path[cardinality(n.path)], above.id, n.path, n.wanted,
        nullif(${ctx.caller.id}::integer, 0), nullif(${ctx.caller.id}::integer, 0)
      from nodes as n left join nodes as above on above.path = n.path[:cardinality(n.path) - 1]
      where n.is_made
      returning id, jsonb_build_object('path', jsonb_build_array(null, path)) as diff
    ), ${logged(ctx, 'create', sql`made`)}
    select id, path, description, is_system, is_made from nodes`.execute(ctx.db)
  return new Map(rows.map((node) => [keyOf(node.path), node]))
}

/** Changes the descriptions of nodes. */
export async function describeNodes(
  ctx: Context,
  changes: readonly { readonly node: Pick<Node, 'id' | 'path' | 'is_system'>; readonly description: string }[],
): Promise<void> {
  if (changes.length === 0) return
  refuseSystem(changes.map(({ node }) => node))
  await sql`
    with changed as (
      update taxonomies as t
      set description = i.description, last_updated_at = now(), last_updated_by = nullif(${ctx.caller.id}::integer, 0)
      from unnest(
        ${changes.map(({ node }) => node.id)}::integer[],
        ${changes.map(({ description }) => description)}::text[]
      ) as i(id, description) join taxonomies as was on was.id = i.id
      where t.id = i.id
      returning t.id, ${changedIn(ctx)} as diff
    ), ${logged(ctx, 'update', sql`changed`)}
    select from changed`.execute(ctx.db)
}
