import type { Definition, Fields, Resource } from './definition.ts'
import { standard } from './standard.ts'

/** Fills in the defaults, and refuses a field that would leave a new row without a value. */
export function defineResource<F extends Fields, P = unknown>(definition: Definition<F, P>): Resource<F> {
  const { table = definition.collection, visible, ...rest } = definition
  for (const [name, { props }] of Object.entries(definition.fields)) {
    const isFilled = props.isRequired || props.isNullable || props.fallback !== undefined || props.stamp !== undefined
    if (!isFilled && props.access !== 'read-only' && props.access !== 'hidden') {
      throw new TypeError(`${definition.collection}.${name} must be required, nullable or have a default.`)
    }
  }
  return {
    permission: definition.collection.replaceAll('_', '-'),
    operations: standard,
    ...rest,
    table: typeof table === 'string' ? table : table.view,
    isView: typeof table !== 'string',
    visibility: typeof visible === 'function' ? { condition: visible } : visible,
  }
}
