import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { ApiError, conflict } from '../../engine/errors.ts'
import type { AnyRow, Context, Item, Resource } from '../../engine/resource.ts'
import { isAmong } from '../../engine/select.ts'
import { standard } from '../../engine/standard.ts'
import { beginReshaping } from '../shaping/reshape.ts'
import { type Attributed, readAttributes, requireFit, shownIn } from './attributes.ts'

type Definition = AnyRow & Attributed & { readonly is_custom: boolean; readonly has_instances: boolean }

/** Definitions can change as long as every entity stays what it is said to be. */
export const operations: typeof standard = {
  ...standard,
  list: async (ctx, resource, plan) => {
    const page = await standard.list(ctx, resource, plan)
    return { ...page, rows: await shown(ctx, page.rows) }
  },
  get: async (ctx, resource, id) => one(await shown(ctx, [await standard.get(ctx, resource, id)])),
  create: async (ctx, resource, item: Item) => {
    const before = await hold(ctx, resource, sql`t.type = ${item.type}`)
    return one(await settle(ctx, before, [await standard.create(ctx, resource, item)]))
  },
  upsert: async (ctx, resource, items: Item[]) => {
    const types = items.map(({ type }) => type)
    const before = await hold(ctx, resource, sql`t.type = any(${types}::text[])`)
    const { rows, created } = await standard.upsert(ctx, resource, items)
    return { rows: await settle(ctx, before, rows), created }
  },
  update: async (ctx, resource, id, patch) => {
    const before = await hold(ctx, resource, isAmong(resource.collection, [id]))
    return one(await settle(ctx, before, [await standard.update(ctx, resource, id, patch)]))
  },
  remove: async (ctx, resource, ids) => {
    const before = await hold(ctx, resource, isAmong(resource.collection, ids))
    const refused = before.flatMap((row) => whyKept(row, 'be deleted') ?? [])
    if (refused.length > 0) throw new ApiError(409, refused)
    await standard.remove(ctx, resource, ids)
  },
}

/** The definitions that are about to be written, as they are; nothing else changes what entities are meanwhile. */
async function hold(ctx: Context, { table }: Resource, isWanted: RawBuilder<SqlBool>): Promise<Definition[]> {
  await beginReshaping(ctx)
  const { rows } = await sql<Definition>`
    select t.*, exists (select from entities as e where entity_kind(e.type, e.data) = t.type) as has_instances
    from ${sql.table(table)} as t
    where ${isWanted}`.execute(ctx.db)
  return rows
}

/** Refuses what would make a part of the stored data wrong, and gives the definitions as they are answered. */
async function settle(ctx: Context, before: readonly Definition[], after: readonly AnyRow[]): Promise<AnyRow[]> {
  const old = new Map(before.map((row) => [row.id, row]))
  const rows = after as readonly Definition[]
  for (const { id, type } of rows) {
    const was = old.get(id)
    const reason = was && was.type !== type ? whyKept(was, 'get another type') : undefined
    if (reason !== undefined) throw conflict(reason)
  }
  const attributes = await readAttributes(ctx, rows)
  await requireFit(ctx, attributes, rows, old)
  return rows.map((row) => shownIn(attributes, row))
}

function whyKept({ type, is_custom, has_instances }: Definition, what: string): string | undefined {
  if (!is_custom) return `'${type}' is a type of the platform: it cannot ${what}.`
  return has_instances ? `There are entities of the type '${type}': it cannot ${what} before they are gone.` : undefined
}

async function shown(ctx: Context, rows: readonly AnyRow[]): Promise<AnyRow[]> {
  const attributes = await readAttributes(ctx, rows as readonly Definition[])
  return rows.map((row) => shownIn(attributes, row as Definition))
}

function one(rows: readonly AnyRow[]): AnyRow {
  const [row] = rows
  if (!row) throw new TypeError('The definition was not stored.')
  return row
}
