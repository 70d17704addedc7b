import type { Field } from '../../engine/field.ts'
import type { Resource } from '../../engine/resource.ts'
import type { Storage } from '../../engine/storage.ts'

type Json = Record<string, unknown>

/** What the document calls what a standard schema has no word for: pages are drawn from it alone. */
export const COLLECTION = 'x-corvus-collection'
export const ATTRIBUTE = 'x-corvus-attribute'
export const PERMISSION = 'x-corvus-permission'

/** The schema of a resource with what its fields are about: what they refer to, who may set them, what is kept secret. */
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
