import { z } from 'zod'

/** Gives parts of a schema names, under which the OpenAPI document describes each of them once. Returns the schema. */
export function withNamedParts<S extends z.ZodType>(schema: S, parts: Readonly<Record<string, z.ZodType>>): S {
  for (const [id, part] of Object.entries(parts)) {
    z.globalRegistry.add(part, { ...z.globalRegistry.get(part), id })
  }
  return schema
}
