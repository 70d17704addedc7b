import { resolved } from '../api/document.ts'
import type { Schema, Schemas } from '../api/schema.ts'

/** The alternatives of a schema without null, which forms express as an empty value. */
export function optionsOf(schemas: Schemas, schema: Schema): readonly Schema[] {
  const whole = resolved(schemas, schema)
  const options = whole.anyOf ?? whole.oneOf
  if (options) return options.flatMap((option) => optionsOf(schemas, option))
  if (!Array.isArray(whole.type)) return whole.type === 'null' ? [] : [whole]
  return whole.type.filter((type) => type !== 'null').map((type: string) => ({ ...whole, type }))
}
