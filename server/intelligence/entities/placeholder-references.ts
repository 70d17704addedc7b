import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { deletionLogged } from '../../engine/log.ts'
import { textList, uuidList } from '../../fast/binary-arrays.ts'

/** An entity, and the STIX ids that its data refers to. */
export interface Referring {
  readonly entity: string
  readonly ids: readonly string[]
}

/** Records which entities refer to placeholders. Returns the STIX ids that updated entities no longer refer to. */
export async function recordReferences(
  ctx: Context,
  all: readonly Referring[],
  updated: readonly string[],
): Promise<readonly string[]> {
  const pairs = all.flatMap(({ entity, ids }) => ids.map((id) => ({ entity, id })))
  const wanted = sql`unnest(
    ${uuidList(pairs.map(({ entity }) => entity))}::uuid[],
    ${textList(pairs.map(({ id }) => id))}::text[]) as w(entity, stix_id)`
  if (pairs.length > 0) {
    await sql`
      insert into awaited_entities (entity, stix_id)
      select distinct w.entity, p.stix_id
      from ${wanted} join entities as p on p.stix_id = w.stix_id and p.is_unresolved
      on conflict do nothing`.execute(ctx.db)
  }
  if (updated.length === 0) return []
  const { rows } = await sql<{ stix_id: string }>`
    delete from awaited_entities as a
    where a.entity = any(${uuidList(updated)}::uuid[])
      and not exists (select from ${wanted} where w.entity = a.entity and w.stix_id = a.stix_id)
    returning a.stix_id`.execute(ctx.db)
  return rows.map(({ stix_id }) => stix_id)
}

/** Deletes the references of deleted entities, and returns the STIX ids they referred to. */
export async function deleteReferences(ctx: Context, entities: readonly string[]): Promise<readonly string[]> {
  const { rows } = await sql<{ stix_id: string }>`
    delete from awaited_entities where entity = any(${uuidList(entities)}::uuid[]) returning stix_id`.execute(ctx.db)
  return rows.map(({ stix_id }) => stix_id)
}

/** Where users collect entities: a placeholder stays while one of these contains it. */
const COLLECTED = ['dataset_entities', 'ticket_entities', 'workspace_entities'] as const

/** Deletes those of the given entities that are placeholders nothing refers to any more. */
export async function removePlaceholders(
  ctx: Context,
  { ids = [], stixIds = [] }: { readonly ids?: readonly string[]; readonly stixIds?: readonly string[] },
): Promise<void> {
  if (ids.length + stixIds.length === 0) return
  // Locked first, so that transactions that refer to one of them have ended before the check.
  const { rows } = await sql<{ id: string }>`
    select t.id from entities as t
    where t.is_unresolved and (t.id = any(${uuidList(ids)}::uuid[]) or t.stix_id = any(${textList(stixIds)}::text[]))
    order by t.stix_id
    for update of t`.execute(ctx.db)
  if (rows.length === 0) return
  const collected = COLLECTED.map(
    (table) => sql`and not exists (select from ${sql.table(table)} as l where l.target = t.id)`,
  )
  await sql`
    with gone as (
      delete from entities as t
      where t.id = any(${uuidList(rows.map(({ id }) => id))}::uuid[]) and t.is_unresolved
        and not exists (select from awaited_entities as a where a.stix_id = t.stix_id)
        and not exists (select from relationships as r where r.source = t.id)
        and not exists (select from relationships as r where r.target = t.id)
        ${sql.join(collected, sql` `)}
      returning t.id, jsonb_build_array(jsonb_build_array(t.vis)) as keys
    ), unlinked as (
      delete from file_entities where target in (select id from gone)
    ), ${deletionLogged(ctx, { collection: 'entities' }, sql`gone`)}
    select from gone`.execute(ctx.db)
}
