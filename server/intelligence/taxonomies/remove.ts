import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import type { Resource } from '../../engine/definition.ts'
import { conflict, notFound } from '../../engine/errors.ts'
import type { Id } from '../../engine/reference.ts'
import { standard } from '../../engine/standard.ts'
import { taxonomyLexeme } from '../../search/lexemes.ts'
import { logged as loggedEntities } from '../entities/store.ts'
import { lockTree, type Node, refuseSystem, textOf } from './tree.ts'

/** Removes whole subtrees of nodes, also from the entities that are classified by them. */
export async function removeNodes(ctx: Context, resource: Resource, ids: readonly Id[]): Promise<void> {
  await lockTree(ctx)
  // Waits for requests that are classifying an entity by one of the nodes, so that the statements below see the new links.
  const { rows } = await sql<Pick<Node, 'id' | 'path' | 'is_system'> & { is_needed: boolean }>`
    select t.id, t.path, t.is_system, exists (
      select from taxonomies as c where c.parent = t.id and c.id <> all(${ids}::integer[])) as is_needed
    from taxonomies as t
    where t.id = any(${ids}::integer[])
    order by t.id
    for update of t`.execute(ctx.db)
  const present = new Set<Id>(rows.map(({ id }) => id))
  const absent = ids.find((id) => !present.has(id))
  if (absent !== undefined) throw notFound(absent)
  refuseSystem(rows)
  const needed = rows.find(({ is_needed }) => is_needed)
  if (needed) throw conflict(`The taxonomy '${textOf(needed.path)}' has children that would not be deleted with it.`)
  await unclassify(ctx, ids)
  await standard.remove(ctx, resource, ids)
}

/** Removes the nodes from the search vectors of entities. The links are deleted with the nodes. */
async function unclassify(ctx: Context, ids: readonly Id[]): Promise<void> {
  await sql`
    with gone as (
      select l.source, array_agg(n.lexeme) as lexemes
      from unnest(${ids}::integer[], ${ids.map((id) => taxonomyLexeme(Number(id)))}::text[]) as n(id, lexeme)
      join entity_taxonomies as l on l.target = n.id
      group by l.source
    ), found as materialized (
      select t.id, gone.lexemes
      from entities as t join gone on gone.source = t.id
      order by t.stix_id
      for update of t
    ), changed as (
      update entities as t
      set search = ts_delete(t.search, found.lexemes), last_updated_at = now()
      from found
      where t.id = found.id
      returning t.id
    ), ${loggedEntities(ctx, 'update', sql`changed`)}
    select from changed`.execute(ctx.db)
}
