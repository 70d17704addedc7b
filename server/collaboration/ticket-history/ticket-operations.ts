import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Item } from '../../engine/context.ts'
import type { Id, Link } from '../../engine/reference.ts'
import { isAmong } from '../../engine/select.ts'
import { standard } from '../../engine/standard.ts'
import { withHistory } from './record.ts'

const withIds = (ids: readonly Id[]) => isAmong('tickets', ids)

const fieldsIn = (items: readonly Item[]): string[] =>
  items.flatMap((item) => Object.keys(item).filter((name) => item[name] !== undefined))

/** The standard operations on tickets, which also record history. */
export const ticketOperations: typeof standard = {
  ...standard,
  upsert: (ctx, resource, items) => {
    const which = sql<SqlBool>`t.name = any(${items.map(({ name }) => name)}::text[])`
    return withHistory(ctx, { fields: fieldsIn(items), which, isDirect: true }, () =>
      standard.upsert(ctx, resource, items),
    )
  },
  update: (ctx, resource, id, patch) =>
    withHistory(ctx, { fields: fieldsIn([patch]), which: withIds([id]), isDirect: true }, () =>
      standard.update(ctx, resource, id, patch),
    ),
  link: (ctx, resource, id, field, links) =>
    withHistory(ctx, { fields: [field], which: withIds([id]), isDirect: true }, () =>
      standard.link(ctx, resource, id, field, links),
    ),
  unlink: (ctx, resource, id, field, target) =>
    withHistory(ctx, { fields: [field], which: withIds([id]), isDirect: true }, () =>
      standard.unlink(ctx, resource, id, field, target),
    ),
}

/** Tickets in a matching workspace `w`, and tickets about to be linked. */
const tickets = (workspaces: RawBuilder<SqlBool>, links: unknown) => {
  const given = ((links ?? []) as readonly Link[]).map(({ id }) => id)
  return sql<SqlBool>`(${withIds(given)} or t.id in (
    select l.source from ticket_workspaces as l join workspaces as w on w.id = l.target where ${workspaces}))`
}

/** The operations on workspaces, which also record the history of their tickets. */
export function withTicketHistory(inner: typeof standard): typeof standard {
  const fields = ['workspaces']
  const one = (id: Id) => sql<SqlBool>`w.id = ${id}`
  return {
    ...inner,
    upsert: (ctx, resource, items) => {
      const setters = items.filter((item) => item.tickets !== undefined)
      const write = () => inner.upsert(ctx, resource, items)
      if (setters.length === 0) return write()
      const which = tickets(
        sql`w.name = any(${setters.map(({ name }) => name)}::text[])`,
        setters.flatMap((item) => item.tickets),
      )
      return withHistory(ctx, { fields, which, isDirect: false }, write)
    },
    update: (ctx, resource, id, patch) => {
      const write = () => inner.update(ctx, resource, id, patch)
      if (patch.tickets === undefined) return write()
      return withHistory(ctx, { fields, which: tickets(one(id), patch.tickets), isDirect: false }, write)
    },
    link: (ctx, resource, id, field, links) => {
      const write = () => inner.link(ctx, resource, id, field, links)
      if (field !== 'tickets') return write()
      return withHistory(ctx, { fields, which: withIds(links.map((each) => each.id)), isDirect: false }, write)
    },
    unlink: (ctx, resource, id, field, target) => {
      const write = () => inner.unlink(ctx, resource, id, field, target)
      if (field !== 'tickets') return write()
      return withHistory(ctx, { fields, which: withIds([target]), isDirect: false }, write)
    },
  }
}
