import { sql } from 'kysely'
import { faultsOf, messageOf } from '../../engine/body.ts'
import { itemPrefix } from '../../engine/bulk-errors.ts'
import type { AnyRow, Context } from '../../engine/context.ts'
import { badRequest, conflict } from '../../engine/errors.ts'
import type { Id } from '../../engine/reference.ts'
import { schemaOf, type ValueType } from '../shaping/data-types.ts'
import { fitsStored } from '../shaping/reshape.ts'

/** The attributes of a definition. */
export interface Attributed {
  readonly id: Id
  readonly type: string
  readonly attributes?: readonly { readonly custom_attribute_id: number; readonly default_value: unknown }[]
}

type Attribute = AnyRow & ValueType & { readonly name: string }
type Attributes = ReadonlyMap<Id, Attribute>

/** Reads the custom attributes that definitions refer to, by id. */
export async function readAttributes({ db }: Context, rows: readonly Attributed[]): Promise<Attributes> {
  const ids = rows.flatMap(({ attributes = [] }) => attributes.map(({ custom_attribute_id }) => custom_attribute_id))
  if (ids.length === 0) return new Map()
  const { rows: found } = await sql<Attribute>`
    select id, name, data_type, allowed_values, description, display_name
    from custom_attributes
    where id = any(${ids}::integer[])`.execute(db)
  return new Map(found.map((attribute) => [attribute.id, attribute]))
}

/** A definition as responses show it. A type has an attribute only once, so the id of the attribute also identifies the pair. */
export function withAttributes<R extends AnyRow & Attributed>(known: Attributes, row: R): R {
  if (row.attributes === undefined) return row
  const attributes = row.attributes.map(({ custom_attribute_id, default_value }) => ({
    id: custom_attribute_id,
    custom_attribute_id,
    default_value,
    attribute: known.get(custom_attribute_id),
  }))
  return { ...row, attributes }
}

/** Refuses unknown and repeated attributes, invalid default values, and attributes that stored entities do not fit. */
export async function requireValidAttributes(
  ctx: Context,
  known: Attributes,
  rows: readonly Attributed[],
  before: ReadonlyMap<Id, Attributed>,
): Promise<void> {
  const faults = rows.flatMap(({ attributes = [] }, position) =>
    attributes.flatMap(({ custom_attribute_id, default_value }, i) => {
      const at = `${itemPrefix(rows, position)}attributes[${i}]`
      const attribute = known.get(custom_attribute_id)
      const first = attributes.findIndex((other) => other.custom_attribute_id === custom_attribute_id)
      if (!attribute) return [`${at}.custom_attribute_id: there is no '${custom_attribute_id}' in custom_attributes`]
      if (first < i) return [`${at}.custom_attribute_id: '${attribute.name}' is listed twice`]
      const { error } = schemaOf(attribute).nullable().safeParse(default_value, { error: messageOf })
      return error ? faultsOf(error).map((fault) => `${at}.default_value: ${fault}`) : []
    }),
  )
  if (faults.length > 0) throw badRequest(faults)
  const added = rows.flatMap(({ id, type, attributes = [] }) => {
    const had = new Set(before.get(id)?.attributes?.map(({ custom_attribute_id }) => custom_attribute_id))
    const own = attributes.flatMap((each) => known.get(each.custom_attribute_id) ?? [])
    return own.filter((attribute) => !had.has(Number(attribute.id))).map((attribute) => ({ ...attribute, type }))
  })
  const fits = await fitsStored(ctx, added)
  const misfit = added.find((_, i) => !fits[i])
  if (misfit) {
    throw conflict(
      `Entities of '${misfit.type}' already have values in data.${misfit.name} that do not fit this attribute.`,
    )
  }
}
