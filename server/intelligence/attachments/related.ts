import { sql } from 'kysely'
import { AUTHOR, authorOf } from '../../engine/log.ts'
import type { Id, Link } from '../../engine/reference.ts'
import type { Context } from '../../engine/resource.ts'

/** An attachment and an entity that it belongs to. */
export interface Pair {
  readonly attachment: string
  readonly entity: string
}

/** The entities that attachments belong to, whoever may see them. */
export async function relatedOf(ctx: Context, ids: readonly Id[]): Promise<Pair[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<Pair>`
    select l.target as attachment, l.source as entity
    from entity_attachments as l
    where l.target = any(${ids}::uuid[])`.execute(ctx.db)
  return rows
}

/** Holds on to the entities that attachments are to belong to: none can be deleted before the links to it are there. */
export async function holdEntities(
  ctx: Context,
  items: readonly { readonly entities?: readonly Link[] | null | undefined }[],
): Promise<void> {
  const ids = items.flatMap(({ entities }) => entities?.map(({ id }) => id) ?? [])
  if (ids.length === 0) return
  await sql`select from entities where id = any(${ids}::uuid[]) order by id for key share`.execute(ctx.db)
}

/** Notes that those entities changed which got or lost an attachment. */
export async function noteChanged(ctx: Context, before: readonly Pair[], after: readonly Pair[]): Promise<void> {
  const keysOf = (pairs: readonly Pair[]) => new Set(pairs.map(({ attachment, entity }) => `${attachment} ${entity}`))
  const different = keysOf(before).symmetricDifference(keysOf(after))
  if (different.size === 0) return
  const ids = [...different].map((key) => key.split(' ')[1])
  await sql`
    with locked as (
      select id from entities where id = any(${ids}::uuid[]) order by id for no key update
    ), changed as (
      update entities as t set last_updated_at = now()
      from locked
      where t.id = locked.id
      returning t.id
    )
    insert into changes (${AUTHOR}, resource, kind, ids, details)
    select ${authorOf(ctx)}, 'entities', 'update', array_agg(id::text), '{}'
    from changed having count(*) > 0`.execute(ctx.db)
}
