import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { badRequest } from '../../engine/errors.ts'
import { MAX_DEPTH } from './input.ts'
import { changedIn, keyOf, logged, type Node, refuseSystem } from './tree.ts'

/** The destination of a node. */
export interface Move {
  readonly node: Node
  readonly parent: number | null
  readonly path: readonly string[]
}

/** Moves and renames nodes of a locked tree, with everything below them, in one statement. */
export async function moveNodes(ctx: Context, moves: readonly Move[]): Promise<void> {
  if (moves.length === 0) return
  refuseSystem(moves.map(({ node }) => node))
  const { rows } = await sql<{ depth: number }>`
    with recursive moves as materialized (
      select m.id, m.parent, m.depth,
        array(select n.name from jsonb_array_elements_text(m.path) with ordinality as n(name, at) order by n.at) as path
      from unnest(
        ${moves.map(({ node }) => node.id)}::integer[],
        ${moves.map(({ parent }) => parent)}::integer[],
        ${moves.map(({ node }) => node.path.length)}::integer[],
        ${moves.map(({ path }) => keyOf(path))}::jsonb[]
      ) as m(id, parent, depth, path)
    ), below as (
      select id as moved, id from moves
      union all
      select b.moved, c.id
      from below as b join taxonomies as c on c.parent = b.id
      where c.id not in (select id from moves)
    ), changed as (
      update taxonomies as t
      set path = m.path || t.path[m.depth + 1:],
        name = case when t.id = m.id then m.path[cardinality(m.path)] else t.name end,
        parent = case when t.id = m.id then m.parent else t.parent end,
        last_updated_at = now(), last_updated_by = nullif(${ctx.caller.id}::integer, 0)
      from below as b join moves as m on m.id = b.moved join taxonomies as was on was.id = b.id
      where t.id = b.id
      returning t.id, t.path, ${changedIn(ctx)} as diff
    ), ${logged(ctx, 'update', sql`changed`)}
    select max(cardinality(path)) as depth from changed`.execute(ctx.db)
  if ((rows[0]?.depth ?? 0) > MAX_DEPTH) throw badRequest(`parent: a tree can have at most ${MAX_DEPTH} levels`)
}

/** Whether a path leads to a node or to one of its descendants. */
export const isSameOrBelow = (path: readonly string[], node: Pick<Node, 'path'>): boolean =>
  keyOf(path.slice(0, node.path.length)) === keyOf(node.path)
