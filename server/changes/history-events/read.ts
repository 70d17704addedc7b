import { sql } from 'kysely'
import { notFound } from '../../engine/errors.ts'
import type { ListPlan } from '../../engine/query.ts'
import type { Id } from '../../engine/reference.ts'
import type { AnyRow, Context, Page, Resource } from '../../engine/resource.ts'
import { columns, visible } from '../../engine/select.ts'
import { standard } from '../../engine/standard.ts'
import { showEvents } from './show.ts'

/** A page of events. */
export async function listEvents(ctx: Context, resource: Resource, plan: ListPlan): Promise<Page> {
  const page = await standard.list(ctx, resource, plan)
  return { ...page, rows: await showEvents(ctx, page.rows) }
}

/** One event, by the write and the place in it that its id names. */
export async function getEvent(ctx: Context, resource: Resource, id: Id): Promise<AnyRow> {
  const digits = String(id).replaceAll('-', '')
  const [change, position] = [digits.slice(0, 16), digits.slice(16)].map((part) => BigInt(`0x${part}`))
  const { rows } = await sql<AnyRow>`
    select ${columns(ctx, resource)}
    from ${sql.table(resource.table)} as t
    where t.change = ${`${BigInt.asIntN(64, change ?? 0n)}`}::bigint
      and t.position = ${`${BigInt.asIntN(64, position ?? 0n)}`}::bigint
      and ${visible(ctx, resource)}`.execute(ctx.db)
  const [event] = await showEvents(ctx, rows)
  if (!event) throw notFound(id)
  return event
}
