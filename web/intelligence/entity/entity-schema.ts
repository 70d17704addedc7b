import { resolved } from '../../api/document.ts'
import type { Schema, Schemas } from '../../api/schema.ts'
import type { Drawn } from '../../forms/field-kind.ts'

/** An entity type that can be created: built-in or defined by the organisation. */
export interface EntityKind {
  readonly type: string
  /** The value of `custom_entity_type` in the data. */
  readonly customType?: string
  readonly name?: string
  readonly description?: string
}

/** All entity types of this installation. */
export function entityKinds(schemas: Schemas): readonly EntityKind[] {
  const options = schemas.EntityCreate?.properties?.data?.oneOf ?? []
  return options.flatMap((option): EntityKind[] => {
    const schema = resolved(schemas, option)
    const type = schema.properties?.type?.const
    if (typeof type !== 'string') return []
    const custom = customKinds(schema).map(([customType, then]) => ({
      type,
      customType,
      ...(then.title && { name: then.title }),
      ...(then.description && { description: then.description }),
    }))
    return custom.length > 0 ? custom : [{ type }]
  })
}

const customKinds = ({ allOf = [] }: Schema): readonly (readonly [string, Schema])[] =>
  allOf.flatMap((part) => {
    const type = part.if?.properties?.custom_entity_type?.const
    return typeof type === 'string' && part.then ? [[type, part.then] as const] : []
  })

/** The data schema of an entity type. */
function dataSchema(schemas: Schemas, type: string): Schema {
  const options = schemas.EntityCreate?.properties?.data?.oneOf ?? []
  return options.map((option) => resolved(schemas, option)).find((one) => one.properties?.type?.const === type) ?? {}
}

/** The fields of an entity type: its own, and those common to all types. */
export interface EntityFields {
  readonly own: readonly Drawn[]
  readonly common: readonly Drawn[]
}

export function entityFields(schemas: Schemas, type: string, customType?: string): EntityFields {
  const schema = dataSchema(schemas, type)
  const custom = customKinds(schema).find(([name]) => name === customType)?.[1]
  const all = (schemas.EntityCreate?.properties?.data?.oneOf ?? []).map((option) => resolved(schemas, option))
  const isCommon = (name: string) => all.every(({ properties = {} }) => Object.hasOwn(properties, name))
  const fields = Object.entries({ ...schema.properties, ...custom?.properties })
    .filter(([, { const: fixed }]) => fixed === undefined)
    .map(([name, field]) => ({ name, schema: field, isRequired: schema.required?.includes(name) ?? false }))
  return {
    own: fields.filter(({ name }) => !isCommon(name)),
    common: fields.filter(({ name }) => isCommon(name)),
  }
}

/** The metadata fields of entities. */
export function metaFields(schemas: Schemas): Readonly<Record<string, Schema>> {
  const meta = schemas.EntityCreate?.properties?.meta
  const options = meta?.anyOf ?? [meta ?? {}]
  return options.map((option) => resolved(schemas, option)).find(({ properties }) => properties)?.properties ?? {}
}
