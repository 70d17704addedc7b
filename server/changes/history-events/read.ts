import { sql } from 'kysely'
import type { AnyRow, Context } from '../../engine/context.ts'
import type { Page, Resource } from '../../engine/definition.ts'
import { notFound } from '../../engine/errors.ts'
import type { ListPlan } from '../../engine/list-plan.ts'
import type { Id } from '../../engine/reference.ts'
import { columns, visible } from '../../engine/select.ts'
import { standard } from '../../engine/standard.ts'
import { showEvents } from './show.ts'

/** Reads a page of events. */
export async function listEvents(ctx: Context, resource: Resource, plan: ListPlan): Promise<Page> {
  const page = await standard.list(ctx, resource, plan)
  return { ...page, rows: await showEvents(ctx, page.rows) }
}

/** Reads one event; its id contains the write and the position of the object in it. */
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
