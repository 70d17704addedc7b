import { sql } from 'kysely'
import { causedBy } from '../../../engine/cause.ts'
import type { Context } from '../../../engine/context.ts'
import { NOBODY } from '../../../engine/route.ts'
import { resourceOf } from '../../../engine/select.ts'
import { removeRows } from '../../../intelligence/entities/remove.ts'

/** Deletes unified entities with everything that belongs to them. Their contributors remain as they are. */
export async function removeUnified(ctx: Context, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const by = { ...ctx, caller: NOBODY, cause: ctx.cause ?? causedBy('consolidation', '', []) }
  await removeRows(by, resourceOf(ctx, 'entities'), ids, sql`t.is_unified`)
}
