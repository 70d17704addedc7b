import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { noted } from '../../engine/log.ts'
import type { Id } from '../../engine/reference.ts'
import type { DefenseType } from '../frameworks/framework.ts'
import { RELATIONS, typeOfRelation } from './relate.ts'

/** Gives the own relationships of a defense whose type changes those types that its lists would give them now. Log sources stay what they are. */
export async function retype(ctx: Context, id: Id, was: DefenseType, is: DefenseType): Promise<void> {
  for (const relation of RELATIONS) {
    const [before, after] = [typeOfRelation(relation, was), typeOfRelation(relation, is)]
    const isOfOther = relation.typedBy !== relation.here
    if (before === after || isOfOther) continue
    const { table, here, there } = relation
    const isNamed = table === 'defense_inner_relationships' ? sql`t.name <> ''` : sql`false`
    const author = sql`nullif(${ctx.caller.id}::integer, 0)`
    await sql`
      with old as materialized (
        select t.id, exists (
          select from ${sql.table(table)} as o
          where o.${sql.ref(here)} = t.${sql.ref(here)} and o.${sql.ref(there)} = t.${sql.ref(there)} and o.type = ${after}) as is_there
        from ${sql.table(table)} as t
        where t.${sql.ref(here)} = ${id} and t.type = ${before} and not t.is_system and not (${isNamed})
      ), gone as (
        delete from ${sql.table(table)} as t using old where old.id = t.id and old.is_there
        returning t.id
      ), changed as (
        update ${sql.table(table)} as t
        set type = ${after}, last_updated_at = now(), last_updated_by = ${author}
        from old
        where old.id = t.id and not old.is_there
        returning t.id, json_build_object('type', json_build_array(${before}::text, ${after}::text)) as diff
      ), deletions as (${noted(ctx, { collection: table }, 'delete', sql`gone`)})
      ${noted(ctx, { collection: table }, 'update', sql`changed`, true)}`.execute(ctx.db)
  }
}
