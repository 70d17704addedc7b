import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { AUTHOR, authorOf } from '../../engine/log.ts'
import type { Id, Link } from '../../engine/reference.ts'

/** An attachment and an entity that it belongs to. */
export interface AttachmentLink {
  readonly attachment: string
  readonly entity: string
}

/** Reads the entities that attachments belong to, including those that the caller cannot see. */
export async function relatedOf(ctx: Context, ids: readonly Id[]): Promise<AttachmentLink[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<AttachmentLink>`
    select l.target as attachment, l.source as entity
    from entity_attachments as l
    where l.target = any(${ids}::uuid[])`.execute(ctx.db)
  return rows
}

/** Locks the entities that attachments will belong to, so that none is deleted before the links exist. */
export async function lockRelatedEntities(
  ctx: Context,
  items: readonly { readonly entities?: readonly Link[] | null | undefined }[],
): Promise<void> {
  const ids = items.flatMap(({ entities }) => entities?.map(({ id }) => id) ?? [])
  if (ids.length === 0) return
  await sql`select from entities where id = any(${ids}::uuid[]) order by id for key share`.execute(ctx.db)
}

/** Records a change of every entity that gained or lost an attachment. */
export async function recordChanges(
  ctx: Context,
  before: readonly AttachmentLink[],
  after: readonly AttachmentLink[],
): Promise<void> {
  const keysOf = (links: readonly AttachmentLink[]) =>
    new Set(links.map(({ attachment, entity }) => `${attachment} ${entity}`))
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
