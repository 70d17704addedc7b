import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { attackLexeme } from '../../search/lexemes.ts'
import { anyLexeme, toSql } from '../../search/sql/parts.ts'
import type { Matrix } from '../frameworks/framework.ts'

/**
 * Puts the dead nodes of a matrix that something uses and that have several successors into the queue. It takes over what earlier loads left open.
 * What users decided to keep stays decided while the successors are the same.
 */
export async function openReviews({ db }: Context, matrix: Matrix, load: number): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from attack_nodes
    where matrix = ${matrix} and state <> 'live' and cardinality(successors) > 1`.execute(db)
  const nodes = rows.map(({ id }) => id)
  await sql`
    update framework_reviews as t
    set state = 'replaced', replaced_by = ${load}
    from framework_loads as l
    where l.id = t.load and l.matrix = ${matrix} and t.state = 'open'`.execute(db)
  if (nodes.length === 0) return
  await sql`
    with used as materialized (
      select u.node
      from entities as t cross join unnest(t.attacks) as u(node)
      where ${toSql(anyLexeme(nodes.map(attackLexeme)))} and not t.is_unified
      union
      select attack_node from attack_annotations
      union
      select technique from defense_relationships where not is_system
      union
      select n.id
      from attack_analyses as t
      cross join lateral jsonb_path_query(t.ui_metadata, '$.layer.techniques[*].techniqueID') as e(id)
      join attack_nodes as n on n.matrix = t.attack_matrix and n.external_id = e.id #>> '{}'
    )
    insert into framework_reviews (load, node, successors)
    select ${load}::integer, n.id, n.successors
    from attack_nodes as n
    where n.id = any(${nodes}::text[]) and n.id in (select node from used) and not exists (
      select from framework_reviews as r
      where r.node = n.id and r.state = 'kept' and r.successors = n.successors)
    order by n.id`.execute(db)
}

/** Takes the reviews of an undone load out of the queue, and puts those back that it took over. */
export async function reopenReviews(db: Context['db'], load: number): Promise<void> {
  await sql`update framework_reviews set state = 'undone' where load = ${load} and state in ('open', 'chosen', 'kept')`.execute(
    db,
  )
  await sql`update framework_reviews set state = 'open', replaced_by = null where replaced_by = ${load} and state = 'replaced'`.execute(
    db,
  )
}
