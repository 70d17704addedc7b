import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../../engine/context.ts'
import { resourceOf, visible } from '../../../engine/select.ts'

/** The unified entities `u` of policies `q.policy` that the caller sees, as the end of a statement; further tables may be joined. */
export const fromSeen = (ctx: Context, joined: RawBuilder<unknown> = sql``): RawBuilder<unknown> => sql`
  from unified_entities as q join entities as u on u.id = q.entity ${joined}
  where ${visible(ctx, resourceOf(ctx, 'entities'), 'u')}`

/** Joins the contributors `m` of the unified entities `u`. */
export const CONTRIBUTORS = sql`join contributors as m on m.unified = u.id`
