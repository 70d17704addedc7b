import { sql } from 'kysely'
import { z } from 'zod'
import { badRequest } from '../../engine/errors.ts'
import type { Id } from '../../engine/reference.ts'
import type { Context, Resource } from '../../engine/resource.ts'
import { idType, resourceOf, visible } from '../../engine/select.ts'
import { idOf } from './step-fields.ts'

type Collection = Resource['collection']

/** Objects that a body names by their ids or URLs. */
export const idsOf = (to: Collection, most: number) => z.array(idOf(to)).max(most).default([])

/** Refuses a body that names objects which do not exist, or not for the caller; each is named by its place. */
export async function requireGiven(
  ctx: Context,
  collection: Collection,
  given: readonly { readonly at: string; readonly id: Id }[],
): Promise<void> {
  if (given.length === 0) return
  const resource = resourceOf(ctx, collection)
  const ids = given.map(({ id }) => id)
  const { rows } = await sql<{ id: Id }>`
    select t.id from ${sql.table(resource.table)} as t
    where t.id = any(${ids}::${idType(collection)}[]) and ${visible(ctx, resource)}`.execute(ctx.db)
  const known = new Set(rows.map(({ id }) => id))
  const faults = given
    .filter(({ id }) => !known.has(id))
    .map(({ at, id }) => `${at}: there is no '${id}' in ${collection}.`)
  if (faults.length > 0) throw badRequest(faults)
}

/** The items of a list with their places in the body. */
export const placed = (field: string, ids: readonly Id[]) => ids.map((id, i) => ({ at: `${field}[${i}]`, id }))

/** What following observables shows of them needs the permission to read them. */
export const READ_OBSERVABLES = 'read extracts'
