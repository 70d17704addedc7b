import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../engine/context.ts'
import type { Resource } from '../../engine/definition.ts'
import { badRequest } from '../../engine/errors.ts'
import type { Id } from '../../engine/reference.ts'
import { idType, resourceOf, visible } from '../../engine/select.ts'
import { idOf } from './step-fields.ts'

type Collection = Resource['collection']

/** A list of at most `max` objects, as ids or URLs. */
export const idsOf = (to: Collection, max: number) => z.array(idOf(to)).max(max).default([])

/** Responds 400 if a body refers to objects that do not exist or are not visible, with the position of each. */
export async function requireVisible(
  ctx: Context,
  collection: Collection,
  references: readonly { readonly at: string; readonly id: Id }[],
): Promise<void> {
  if (references.length === 0) return
  const resource = resourceOf(ctx, collection)
  const ids = references.map(({ id }) => id)
  const { rows } = await sql<{ id: Id }>`
    select t.id from ${sql.table(resource.table)} as t
    where t.id = any(${ids}::${idType(collection)}[]) and ${visible(ctx, resource)}`.execute(ctx.db)
  const known = new Set(rows.map(({ id }) => id))
  const faults = references
    .filter(({ id }) => !known.has(id))
    .map(({ at, id }) => `${at}: there is no '${id}' in ${collection}.`)
  if (faults.length > 0) throw badRequest(faults)
}

/** The ids of a list with their positions in the body. */
export const withPositions = (field: string, ids: readonly Id[]) => ids.map((id, i) => ({ at: `${field}[${i}]`, id }))

/** The permission needed to follow observables, because that reveals them. */
export const READ_OBSERVABLES = 'read extracts'
