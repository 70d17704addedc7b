import { sql } from 'kysely'
import type { Collection } from '../../../collections.ts'
import type { Context } from '../../../engine/context.ts'
import type { Id, Link } from '../../../engine/reference.ts'
import { isAmong, resourceOf, visible } from '../../../engine/select.ts'

/** The objects among those that a step names that the owner of the playbook sees, and the ids of the others. */
export interface Found {
  readonly ids: readonly Id[]
  readonly missing: readonly Id[]
}

/** Finds the objects that a step names, in one statement. They may have been deleted or hidden since the playbook was saved. */
export async function findLinked(ctx: Context, to: Collection, links: readonly Link[]): Promise<Found> {
  if (links.length === 0) return { ids: [], missing: [] }
  const resource = resourceOf(ctx, to)
  const wanted = [...new Set(links.map(({ id }) => id))]
  const { rows } = await sql<{ id: Id }>`
    select t.id from ${sql.table(resource.table)} as t
    where ${isAmong(to, wanted)} and ${visible(ctx, resource)}
    order by t.id`.execute(ctx.db)
  const ids = rows.map(({ id }) => id)
  return { ids, missing: wanted.filter((id) => !ids.includes(id)) }
}

/** A warning about each object that is left out, because the owner of the playbook does not see it. */
export const leftOut = (one: string, { missing }: Pick<Found, 'missing'>): string[] =>
  missing.map((id) => `The ${one} ${id} was left out: the owner of the playbook does not see it.`)
