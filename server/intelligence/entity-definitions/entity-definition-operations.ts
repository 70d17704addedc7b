import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { AnyRow, Context, Item } from '../../engine/context.ts'
import type { Resource } from '../../engine/definition.ts'
import { ApiError, conflict } from '../../engine/errors.ts'
import { isAmong } from '../../engine/select.ts'
import { standard } from '../../engine/standard.ts'
import { beginReshaping } from '../shaping/reshape.ts'
import { type Attributed, readAttributes, requireValidAttributes, withAttributes } from './attributes.ts'

type Definition = AnyRow & Attributed & { readonly is_custom: boolean; readonly has_instances: boolean }

/** The standard operations, which refuse changes that would make stored entities invalid. */
export const entityDefinitionOperations: typeof standard = {
  ...standard,
  list: async (ctx, resource, plan) => {
    const page = await standard.list(ctx, resource, plan)
    return { ...page, rows: await shown(ctx, page.rows) }
  },
  get: async (ctx, resource, id) => one(await shown(ctx, [await standard.get(ctx, resource, id)])),
  create: async (ctx, resource, item: Item) => {
    const before = await lockForChange(ctx, resource, sql`t.type = ${item.type}`)
    return one(await checkWritten(ctx, before, [await standard.create(ctx, resource, item)]))
  },
  upsert: async (ctx, resource, items: Item[]) => {
    const types = items.map(({ type }) => type)
    const before = await lockForChange(ctx, resource, sql`t.type = any(${types}::text[])`)
    const { rows, created } = await standard.upsert(ctx, resource, items)
    return { rows: await checkWritten(ctx, before, rows), created }
  },
  update: async (ctx, resource, id, patch) => {
    const before = await lockForChange(ctx, resource, isAmong(resource.collection, [id]))
    return one(await checkWritten(ctx, before, [await standard.update(ctx, resource, id, patch)]))
  },
  remove: async (ctx, resource, ids) => {
    const before = await lockForChange(ctx, resource, isAmong(resource.collection, ids))
    const refused = before.flatMap((row) => refusalOf(row, 'be deleted') ?? [])
    if (refused.length > 0) throw new ApiError(409, refused)
    await standard.remove(ctx, resource, ids)
  },
}

/** Reads the definitions that are about to be written, and blocks other changes of definitions until the commit. */
async function lockForChange(ctx: Context, { table }: Resource, isWanted: RawBuilder<SqlBool>): Promise<Definition[]> {
  await beginReshaping(ctx)
  const { rows } = await sql<Definition>`
    select t.*, exists (select from entities as e where entity_kind(e.type, e.data) = t.type) as has_instances
    from ${sql.table(table)} as t
    where ${isWanted}`.execute(ctx.db)
  return rows
}

/** Refuses changes that would make stored entities invalid, and returns the definitions as responses show them. */
async function checkWritten(ctx: Context, before: readonly Definition[], after: readonly AnyRow[]): Promise<AnyRow[]> {
  const old = new Map(before.map((row) => [row.id, row]))
  const rows = after as readonly Definition[]
  for (const { id, type } of rows) {
    const was = old.get(id)
    const reason = was && was.type !== type ? refusalOf(was, 'change its type') : undefined
    if (reason !== undefined) throw conflict(reason)
  }
  const attributes = await readAttributes(ctx, rows)
  await requireValidAttributes(ctx, attributes, rows, old)
  return rows.map((row) => withAttributes(attributes, row))
}

function refusalOf({ type, is_custom, has_instances }: Definition, action: string): string | undefined {
  if (!is_custom) return `'${type}' is a built-in type: it cannot ${action}.`
  return has_instances ? `'${type}' cannot ${action} as long as there are entities of this type.` : undefined
}

async function shown(ctx: Context, rows: readonly AnyRow[]): Promise<AnyRow[]> {
  const attributes = await readAttributes(ctx, rows as readonly Definition[])
  return rows.map((row) => withAttributes(attributes, row as Definition))
}

function one(rows: readonly AnyRow[]): AnyRow {
  const [row] = rows
  if (!row) throw new TypeError('The definition was not stored.')
  return row
}
