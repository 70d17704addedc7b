import { resolved } from '../api/document.ts'
import type { Schema, Schemas } from '../api/schema.ts'

/** The forms that a value may have, without null: a form says that by being empty. */
export function optionsOf(schemas: Schemas, schema: Schema): readonly Schema[] {
  const whole = resolved(schemas, schema)
  const options = whole.anyOf ?? whole.oneOf
  if (options) return options.flatMap((option) => optionsOf(schemas, option))
  if (!Array.isArray(whole.type)) return whole.type === 'null' ? [] : [whole]
  return whole.type.filter((type) => type !== 'null').map((type: string) => ({ ...whole, type }))
}
