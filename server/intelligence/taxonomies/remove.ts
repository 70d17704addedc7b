import { sql } from 'kysely'
import { conflict, notFound } from '../../engine/errors.ts'
import type { Id } from '../../engine/reference.ts'
import type { Context, Resource } from '../../engine/resource.ts'
import { standard } from '../../engine/standard.ts'
import { taxonomyLexeme } from '../../search/lexemes.ts'
import { logged as loggedEntities } from '../entities/store.ts'
import { lockTree, type Node, refuseSystem, textOf } from './tree.ts'

/** Removes nodes, whole subtrees only, and takes them off the entities that were classified by them. */
export async function removeNodes(ctx: Context, resource: Resource, ids: readonly Id[]): Promise<void> {
  await lockTree(ctx)
  // Whoever is classifying an entity by one of them holds its row until that is visible to the statements below.
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

/** Entities are no longer found by these nodes; the links themselves go with the nodes. */
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
