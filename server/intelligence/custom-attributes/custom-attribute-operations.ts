import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { faultsOf, messageOf } from '../../engine/body.ts'
import { itemPath } from '../../engine/bulk-errors.ts'
import type { AnyRow, Context, Item } from '../../engine/context.ts'
import type { Resource } from '../../engine/definition.ts'
import { ApiError, badRequest, conflict } from '../../engine/errors.ts'
import { isAmong } from '../../engine/select.ts'
import { standard } from '../../engine/standard.ts'
import { allowedSchema, schemaOf, type ValueType } from '../shaping/data-types.ts'
import { beginReshaping, fitsStored } from '../shaping/reshape.ts'

type Attribute = AnyRow & ValueType & { readonly name: string }

/** An entity type that has an attribute, with its default value. */
interface Use {
  readonly attribute: number
  readonly type: string
  readonly default_value: unknown
}

/** The standard operations, which refuse changes that would make stored entities or definitions invalid. */
export const customAttributeOperations: typeof standard = {
  ...standard,
  create: async (ctx, resource, item) => {
    const row = await standard.create(ctx, resource, item)
    requireAllowedValuesOfType([row as Attribute])
    return row
  },
  upsert: async (ctx, resource, items: Item[]) => {
    const names = items.map(({ name }) => name)
    const before = await lockForChange(ctx, resource, sql`t.name = any(${names}::text[])`)
    const written = await standard.upsert(ctx, resource, items)
    await requireValidUses(ctx, before, written.rows as Attribute[])
    return written
  },
  update: async (ctx, resource, id, patch) => {
    const before = await lockForChange(ctx, resource, isAmong(resource.collection, [id]))
    const row = await standard.update(ctx, resource, id, patch)
    await requireValidUses(ctx, before, [row as Attribute])
    return row
  },
  remove: async (ctx, resource, ids) => {
    const before = await lockForChange(ctx, resource, isAmong(resource.collection, ids))
    const uses = await findUses(ctx, before)
    const used = before.flatMap(({ id, name }) => {
      const types = uses.flatMap(({ attribute, type }) => (attribute === id ? [`'${type}'`] : []))
      return types.length === 0 ? [] : [`'${name}' is an attribute of ${types.join(', ')}: remove it from there first.`]
    })
    if (used.length > 0) throw new ApiError(409, used)
    await standard.remove(ctx, resource, ids)
  },
}

/** Reads the attributes that are about to be written, and blocks other changes of definitions until the commit. */
async function lockForChange(ctx: Context, { table }: Resource, isWanted: RawBuilder<SqlBool>): Promise<Attribute[]> {
  await beginReshaping(ctx)
  const { rows } = await sql<Attribute>`select t.* from ${sql.table(table)} as t where ${isWanted}`.execute(ctx.db)
  return rows
}

async function findUses({ db }: Context, attributes: readonly Attribute[]): Promise<Use[]> {
  const { rows } = await sql<Use>`
    select (l.value ->> 'custom_attribute_id')::integer as attribute, d.type, l.value -> 'default_value' as default_value
    from entity_definitions as d cross join lateral jsonb_array_elements(d.attributes) as l(value)
    where (l.value ->> 'custom_attribute_id')::integer = any(${attributes.map(({ id }) => id)}::integer[])
    order by d.type`.execute(db)
  return rows
}

/** Refuses changes that would make stored entities or definitions invalid. */
async function requireValidUses(
  ctx: Context,
  before: readonly Attribute[],
  after: readonly Attribute[],
): Promise<void> {
  requireAllowedValuesOfType(after)
  const old = new Map(before.map((row) => [row.id, row]))
  const uses = (await findUses(ctx, before)).flatMap((use) => {
    const attribute = after.find(({ id }) => id === use.attribute)
    const was = old.get(use.attribute)
    return attribute && was && isOther(was, attribute) ? [{ ...attribute, ...use, was }] : []
  })
  for (const { type, name, data_type, was, ...use } of uses) {
    const first = `'${was.name}' is an attribute of '${type}'`
    if (name !== was.name) throw conflict(`${first}: remove it from there before you rename it.`)
    if (data_type !== was.data_type) throw conflict(`${first}: remove it from there before you change its data type.`)
    const isFit = use.default_value === null || schemaOf({ data_type, ...use }).safeParse(use.default_value).success
    if (!isFit) throw conflict(`${first}, with a default value that would no longer be allowed.`)
  }
  const fits = await fitsStored(ctx, uses)
  const type = uses.find((_, i) => !fits[i])?.type
  if (type !== undefined) throw conflict(`Entities of '${type}' have values that would no longer be allowed.`)
}

const isOther = (was: Attribute, is: Attribute): boolean =>
  was.name !== is.name ||
  was.data_type !== is.data_type ||
  JSON.stringify(was.allowed_values) !== JSON.stringify(is.allowed_values)

/** Refuses allowed values of another type. Only the written row shows the result of a partial change. */
function requireAllowedValuesOfType(rows: readonly Attribute[]): void {
  const faults = rows.flatMap(({ data_type, allowed_values }, position) =>
    (allowed_values ?? []).flatMap((value, i) => {
      const path = [...itemPath(rows, position), 'allowed_values', i]
      const { error } = allowedSchema(data_type).safeParse(value, { error: messageOf })
      return error ? faultsOf(error, path) : []
    }),
  )
  if (faults.length > 0) throw badRequest(faults)
}
