import type { Resource } from '../../engine/definition.ts'
import type { Field } from '../../engine/field-class.ts'
import type { Storage } from '../../engine/storage.ts'

type Json = Record<string, unknown>

/** OpenAPI extensions for what standard schemas cannot express. The web interface draws its pages from them. */
export const COLLECTION = 'x-corvus-collection'
export const ATTRIBUTE = 'x-corvus-attribute'
export const PERMISSION = 'x-corvus-permission'

/**
 * Extends the schema of a resource with the meaning of its fields: what they refer to, who may set them, and which
 * are secret.
 */
export function annotate({ fields }: Resource, schema: Json): Json {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>).map(([name, property]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    return [name, field ? { ...property, ...marksOf(field) } : property]
  })
  return { ...schema, properties: Object.fromEntries(properties) }
}

function marksOf({ props: { access, fallback, guard, isPath, storage } }: Field): Json {
  const to = targetOf(storage)
  return {
    ...(to && !isPath && { [COLLECTION]: to }),
    ...(storage.kind === 'refs' && storage.attribute && { [ATTRIBUTE]: storage.attribute }),
    ...(guard && { [PERMISSION]: guard }),
    ...(access === 'read-only' && { readOnly: true }),
    ...(access === 'secret' && { format: 'password' }),
    ...(access === 'write-only' && { writeOnly: true }),
    ...(isTime(storage) && access === 'read-write' && { format: 'date-time' }),
    ...(fallback !== undefined && { default: fallback }),
  }
}

const targetOf = (storage: Storage) => ('to' in storage ? storage.to : undefined)

const isTime = (storage: Storage): boolean => storage.kind === 'column' && storage.type === 'timestamptz'
