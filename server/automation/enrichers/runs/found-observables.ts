import { sql } from 'kysely'
import type { Context } from '../../../engine/context.ts'
import { type EnrichParameters, selectedObservables } from './selection.ts'

/** The ids of the observables that a run is about, sorted. Found once and in one snapshot. */
export async function findObservables(ctx: Context, wanted: EnrichParameters): Promise<readonly number[]> {
  const { rows } = await sql<{ ids: readonly number[] | null }>`
    select array_agg(found.id order by found.id) as ids from (${await selectedObservables(ctx, wanted)}) as found`.execute(
    ctx.db,
  )
  return rows[0]?.ids ?? []
}
