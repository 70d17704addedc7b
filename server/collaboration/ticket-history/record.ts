import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { AnyRow, Context } from '../../engine/context.ts'
import { ApiError, conflict } from '../../engine/errors.ts'
import type { Id } from '../../engine/reference.ts'
import { resourceOf, visible } from '../../engine/select.ts'

const PLAIN = ['name', 'description', 'status', 'priority', 'due_at', 'assignee'] as const
const LINKS = ['stakeholders', 'workspaces', 'entities'] as const

/** The fields whose changes are withHistory. */
export const RECORDED_FIELDS: readonly string[] = [...PLAIN, ...LINKS]

/** The scope of a write. */
interface Written {
  readonly fields: readonly string[]
  /** A condition on the tickets `t`. */
  readonly which: RawBuilder<SqlBool>
  /** Whether the write targets the tickets themselves rather than an object linked to them. */
  readonly isDirect: boolean
}

/**
 * Runs a write of tickets and records their changes. Throws a 409 if the caller could no longer see one of the
 * tickets.
 */
export async function withHistory<T>(ctx: Context, written: Written, write: () => Promise<T>): Promise<T> {
  const fields = RECORDED_FIELDS.filter((field) => written.fields.includes(field))
  if (fields.length === 0) return write()
  const seen = written.isDirect ? visible(ctx, resourceOf(ctx, 'tickets')) : sql<SqlBool>`true`
  // Locked, because a concurrent write to the same ticket would record these changes as its own.
  const before = await stateOf(ctx, fields, sql`${written.which} and ${seen}`, sql`for update of t`)
  const ids = before.map(({ id }) => id)
  const result = await write().catch((error: unknown) => {
    // The ticket existed before the write, so a 404 means that the caller can no longer see it.
    throw ids.length > 0 && error instanceof ApiError && error.status === 404 ? unseen() : error
  })
  if (ids.length === 0) return result
  const after = await stateOf(ctx, fields, sql`t.id = any(${ids}::integer[]) and ${seen}`)
  if (after.length < before.length) throw unseen()
  await note(ctx, differences(fields, before, after))
  return result
}

const unseen = () =>
  conflict(
    'You would no longer see the ticket. Keep it in a workspace that you can see, or become one of its stakeholders.',
  )

async function stateOf(
  ctx: Context,
  fields: readonly string[],
  which: RawBuilder<SqlBool>,
  lock: RawBuilder<unknown> = sql``,
): Promise<AnyRow[]> {
  const values = fields.map((field) =>
    isLink(field)
      ? sql`(
        select coalesce(json_agg(l.target order by l.target), '[]')
        from ${sql.table(`ticket_${field}`)} as l
        where l.source = t.id) as ${sql.ref(field)}`
      : sql.ref(`t.${field}`),
  )
  const { rows } = await sql<AnyRow>`
    select ${sql.join([sql`t.id`, ...values])} from tickets as t where ${which} order by t.name ${lock}`.execute(ctx.db)
  return rows
}

const isLink = (field: string): boolean => LINKS.some((name) => name === field)

interface Difference {
  readonly owner: Id
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

function differences(fields: readonly string[], before: readonly AnyRow[], after: readonly AnyRow[]): Difference[] {
  const states = new Map(after.map((row) => [row.id, row]))
  return before.flatMap((old) =>
    fields.flatMap((field): Difference[] => {
      const [was, is] = [old[field], states.get(old.id)?.[field]]
      if (isLink(field)) return linkDifferences(old.id, field, was as Id[], is as Id[])
      return was === is ? [] : [{ owner: old.id, field, before: was, after: is }]
    }),
  )
}

function linkDifferences(owner: Id, field: string, was: readonly Id[], is: readonly Id[]): Difference[] {
  const [old, now] = [new Set(was), new Set(is)]
  return [
    ...was.filter((id) => !now.has(id)).map((id) => ({ owner, field, before: id, after: null })),
    ...is.filter((id) => !old.has(id)).map((id) => ({ owner, field, before: null, after: id })),
  ]
}

async function note(ctx: Context, changes: readonly Difference[]): Promise<void> {
  if (changes.length === 0) return
  await sql`
    insert into ticket_history (owner, field, before, after, created_by)
    select i.owner, i.field, i.before, i.after, nullif(${ctx.caller.id}::integer, 0)
    from rows from (
      jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as (owner integer, field text, before jsonb, after jsonb)
    ) with ordinality as i(owner, field, before, after, position)
    order by i.position`.execute(ctx.db)
}
