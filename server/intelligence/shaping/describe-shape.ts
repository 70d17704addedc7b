import { z } from 'zod'
import type { Item } from '../../engine/context.ts'
import { dataName } from '../entities/named-schemas.ts'
import { schemaOf } from './data-types.ts'
import type { Shape, ShapedAttribute, ShapedType } from './shape.ts'

interface Described {
  properties?: Item
  allOf?: unknown[]
}

/** Adds the custom types and attributes to the schemas of entity data in an OpenAPI document. */
export function describeShape<D extends Item>(document: D, { types }: Shape): D {
  const { schemas } = (document as unknown as { components: { schemas: Record<string, Described> } }).components
  const all = [...types.values()]
  for (const { type, attributes } of all.filter(({ is_custom }) => !is_custom)) {
    const schema = schemas[dataName(type)]
    if (schema) Object.assign(schema, { properties: { ...schema.properties, ...propertiesOf(attributes) } })
  }
  const custom = all.filter(({ is_custom }) => is_custom)
  const schema = schemas[dataName('custom-entity')]
  if (!schema || custom.length === 0) return document
  const given = schema.properties?.custom_entity_type as Item
  const custom_entity_type = { ...given, enum: custom.map(({ type }) => type) }
  Object.assign(schema, {
    properties: { ...schema.properties, custom_entity_type },
    allOf: [...(schema.allOf ?? []), ...custom.map(conditional)],
  })
  return document
}

/** The attributes of a custom type, as a part of the schema that applies only to this type. */
const conditional = ({ type, name, description, attributes }: ShapedType): Item => ({
  if: { properties: { custom_entity_type: { const: type } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { title: name, ...(description && { description }), properties: propertiesOf(attributes) },
})

const propertiesOf = (attributes: readonly ShapedAttribute[]): Item =>
  Object.fromEntries(attributes.map((attribute) => [attribute.name, propertyOf(attribute)]))

function propertyOf(attribute: ShapedAttribute): Item {
  const { display_name, description, default_value } = attribute
  const { $schema: _, ...schema } = z.toJSONSchema(schemaOf(attribute).nullable(), { io: 'input' })
  return {
    ...schema,
    ...(display_name && { title: display_name }),
    ...(description && { description }),
    ...(default_value !== null && { default: default_value }),
  }
}
