import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { faultsOf, messageOf } from '../../engine/body.ts'
import { itemPath } from '../../engine/bulk-errors.ts'
import type { Item } from '../../engine/context.ts'
import { badRequest, retry } from '../../engine/errors.ts'
import { schemaOf, type ValueType } from './data-types.ts'

/** A custom attribute of an entity type. */
export interface ShapedAttribute extends ValueType {
  readonly name: string
  readonly display_name: string | null
  readonly description: string | null
  readonly default_value: unknown
}

/** An entity type with its custom attributes. */
export interface ShapedType {
  readonly type: string
  readonly name: string
  readonly description: string | null
  readonly is_custom: boolean
  readonly attributes: readonly ShapedAttribute[]
  /** Validates the custom attributes, all of which are optional. */
  readonly schema: z.ZodObject
}

/** The custom entity types and attributes of an installation. */
export interface Shape {
  /** Identifies this content in every process and database. */
  readonly version: string
  /** The custom types, and the built-in types with custom attributes. */
  readonly types: ReadonlyMap<string, ShapedType>
}

/** The shape of an installation without definitions. */
export const EMPTY_SHAPE: Shape = { version: '00000000-0000-0000-0000-000000000000', types: new Map() }

/** The shape that any request read last. Its version tells whether it is still current. */
const cache: { shape: Shape | undefined } = { shape: EMPTY_SHAPE }

/** Reads the current shape from the database. */
export async function readShape(db: Kysely<unknown>): Promise<Shape> {
  const { rows } = await sql<{ version: string; types: Omit<ShapedType, 'schema'>[] }>`
    select s.version, array(
      select jsonb_build_object('type', d.type, 'name', d.name, 'description', d.description, 'is_custom', d.is_custom,
        'attributes', array(
          select to_jsonb(a) || jsonb_build_object('default_value', l.value -> 'default_value')
          from jsonb_array_elements(d.attributes) with ordinality as l(value, position)
          join custom_attributes as a on a.id = (l.value ->> 'custom_attribute_id')::integer
          order by l.position))
      from entity_definitions as d
      where d.is_custom or d.attributes <> '[]'
      order by d.type) as types
    from entity_shape as s`.execute(db)
  const [row] = rows
  if (!row) throw new TypeError('The database has no shape of entities.')
  const { version, types } = row
  if (cache.shape?.version === version) return cache.shape
  const shape = { version, types: new Map(types.map((type) => [type.type, { ...type, schema: schemaFor(type) }])) }
  cache.shape = shape
  return shape
}

const schemaFor = ({ attributes }: Pick<ShapedType, 'attributes'>): z.ZodObject =>
  z.object(Object.fromEntries(attributes.map((attribute) => [attribute.name, schemaOf(attribute).nullish()])))

interface Shaped {
  readonly type: string
}

/**
 * Validates data against the shape and returns it. Responds 400 with all errors. The shape usually comes from the cache, so
 * a write has to confirm it with `requireVersion`. Data is only refused after the current shape was read.
 */
export async function shapeFor(db: Kysely<unknown>, all: readonly Shaped[]): Promise<Shape> {
  if (cache.shape && faultsIn(cache.shape, all).length === 0) return cache.shape
  const shape = await readShape(db)
  const faults = faultsIn(shape, all)
  if (faults.length > 0) throw badRequest(faults)
  return shape
}

/** Retries a transaction that validated its data against a shape that has changed since. */
export function requireVersion(shape: Shape, version: string | undefined): void {
  if (shape.version === version) return
  cache.shape = undefined
  throw retry('The definitions of entities changed during the write.')
}

function faultsIn(shape: Shape, all: readonly Shaped[]): string[] {
  return all.flatMap((data, i) => {
    const found = typeOf(shape, data)
    if (found === null) return []
    const path = [...itemPath(all, i), 'data']
    if (found === undefined) return faultsOf(unknownType(shape, data), path)
    const { error } = found.schema.safeParse(data, { error: messageOf })
    return error ? faultsOf(error, path) : []
  })
}

/** The definition of the type of an entity: null if it has no custom attributes, undefined if there is no such type. */
function typeOf({ types }: Shape, data: Shaped): ShapedType | null | undefined {
  if (data.type !== 'custom-entity') return types.get(data.type) ?? null
  const found = types.get(customTypeOf(data))
  return found?.is_custom ? found : undefined
}

const customTypeOf = (data: Shaped): string => String((data as Item & Shaped).custom_entity_type)

function unknownType({ types }: Shape, data: Shaped): z.ZodError {
  const given = customTypeOf(data).slice(0, 80)
  const known = [...types.values()].flatMap(({ type, is_custom }) => (is_custom ? [`'${type}'`] : []))
  const message = `'${given}' is not defined; ${known.length === 0 ? 'no types are defined yet' : `defined types: ${known.join(', ')}`}`
  return new z.ZodError([{ code: 'custom', path: ['custom_entity_type'], message, input: given }])
}

/** Adds the default values of absent attributes to the data of a new entity. Returns a copy only if there are any. */
export function withAttributes<D extends Shaped>(shape: Shape, data: D): D {
  const absent = typeOf(shape, data)?.attributes.filter(
    ({ name, default_value }) => default_value !== null && !Object.hasOwn(data, name),
  )
  if (!absent?.length) return data
  return { ...data, ...Object.fromEntries(absent.map(({ name, default_value }) => [name, default_value])) }
}

/** All custom attributes that any entity type has, by name. */
export const attributesOf = ({ types }: Shape): ReadonlyMap<string, ShapedAttribute> =>
  new Map([...types.values()].flatMap(({ attributes }) => attributes.map((attribute) => [attribute.name, attribute])))
