import { sql } from 'kysely'
import type { Context } from '../engine/context.ts'
import { integerList, textList } from '../fast/binary-arrays.ts'
import { loggedByKey } from '../intelligence/observables/logged.ts'

/** An observable with a verdict of a source; null if it is known without one. */
export interface Verdict {
  readonly id: number
  readonly maliciousness: string | null
}

/** Stores verdicts on observables under the key `vis` of a source, and logs those that changed. */
export async function storeVerdicts(ctx: Context, verdicts: readonly Verdict[], vis: number): Promise<void> {
  await sql`
    with made as (
      insert into observable_records as r (observable, vis, maliciousness)
      select i.id, ${vis}::integer, i.maliciousness
      from unnest(
        ${integerList(verdicts.map(({ id }) => id))}::integer[],
        ${textList(verdicts.map(({ maliciousness }) => maliciousness))}::text[]) as i(id, maliciousness)
      order by i.id
      on conflict (observable, vis) do update
      set maliciousness = excluded.maliciousness, last_updated_at = now(), last_updated_by = null
      where r.maliciousness is distinct from excluded.maliciousness
      returning observable as id, vis
    ), logged as (${loggedByKey(ctx, 'update', sql`made`)})
    select`.execute(ctx.db)
}
