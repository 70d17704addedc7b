import { sql } from 'kysely'
import { causedBy } from '../../engine/cause.ts'
import type { Context } from '../../engine/context.ts'

/** Re-mapping has to wait for what it changes, and there may be many entities. */
export const LOAD_TIMEOUT = sql`set local statement_timeout = '10min'`

/** The change log says of every object that a load is why it changed. */
export const actingFor = (ctx: Context, load: number): Context => ({
  ...ctx,
  cause: causedBy('attack-upgrade', load, [ctx.cause]),
})
