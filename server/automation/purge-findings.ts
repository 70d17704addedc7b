import { sql } from 'kysely'
import type { Context } from '../engine/context.ts'
import { missing } from '../engine/errors.ts'
import type { Id } from '../engine/reference.ts'
import { resourceOf } from '../engine/select.ts'
import { isOfSource } from '../identity/access/visibility.ts'
import { sourceContext } from './as-source.ts'

/** The permissions that deleting findings needs in addition to that of the owner of the source. */
const NEEDED = ['modify entities', 'modify extracts']

/** Removes everything that belongs to the sources of enrichers or detonators: entities, verdicts, and links of observables. */
export async function purgeFindings(ctx: Context, sources: readonly string[]): Promise<void> {
  if (sources.length === 0) return
  const own = await sourceContext(ctx, ctx.db, sources, ctx.cause)
  const acting = { ...own, caller: { ...own.caller, id: ctx.caller.id } }
  const numbers = sql`select number from sources where id = any(${sources}::uuid[])`
  const { rows: observables } = await sql<{ id: Id }>`
    select distinct r.observable as id
    from (${numbers}) as s join observable_records as r on ${isOfSource(sql`r.vis`, sql`s.number`)}
    order by 1`.execute(ctx.db)
  const { rows: entities } = await sql<{ id: Id }>`
    select e.id
    from (${numbers}) as s join entities as e on ${isOfSource(sql`e.vis`, sql`s.number`)}
    order by e.stix_id`.execute(ctx.db)
  if (observables.length + entities.length === 0) return
  const lacking = NEEDED.filter((permission) => !ctx.caller.permissions.has(permission))
  if (lacking.length > 0) throw missing(lacking)
  for (const [collection, rows] of [
    ['observables', observables],
    ['entities', entities],
  ] as const) {
    const resource = resourceOf(ctx, collection)
    if (rows.length > 0)
      await resource.operations.remove?.(
        acting,
        resource,
        rows.map(({ id }) => id),
      )
  }
}
