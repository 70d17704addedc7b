import { sql } from 'kysely'
import { count } from '../../engine/count.ts'
import { notFound } from '../../engine/errors.ts'
import { type ListPlan, writeCursor } from '../../engine/query.ts'
import type { Id } from '../../engine/reference.ts'
import type { AnyRow, Context, Page, Resource } from '../../engine/resource.ts'
import { and, columns, isAfter, matches, orderBy, sortKeys, visible } from '../../engine/select.ts'
import { showEvents } from './show.ts'

type Picked = AnyRow & { readonly sort_key: unknown[] }

/** A page of events. They are no rows of their own, and cannot be picked first and fetched by their ids then. */
export async function listEvents(caller: Context, resource: Resource, plan: ListPlan): Promise<Page> {
  const ctx = { ...caller, at: plan.at }
  const filtered = await Promise.all(plan.filters.map((filter) => matches(ctx, resource, filter)))
  const matching = [...filtered, visible(ctx, resource)]
  const total = () => count(ctx, resource, matching, plan.cap)
  if (plan.countOnly) return { rows: [], cursor: null, total: await total() }

  const keys = sortKeys(ctx, resource, plan)
  const offset = plan.after ? 0 : plan.offset
  const { rows: picked } = await sql<Picked>`
    select ${columns(ctx, resource)}, json_build_array(${sql.join(keys.map((key) => key.expression))}) as sort_key
    from ${sql.table(resource.table)} as t
    where ${and(plan.after ? [...matching, isAfter(keys, plan.after)] : matching)}
    order by ${orderBy(keys)}
    limit ${plan.limit + 1} offset ${offset}`.execute(ctx.db)

  const page = picked.slice(0, plan.limit)
  const last = page.at(-1)
  const cursor = picked.length > page.length && last ? writeCursor(plan, last.sort_key) : null
  const isWhole = !plan.after && !cursor && (page.length > 0 || offset === 0)
  return { rows: await showEvents(ctx, page), cursor, total: isWhole ? offset + page.length : await total() }
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
