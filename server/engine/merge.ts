import { faultsOf, messageOf } from './body.ts'
import type { AnyRow, Item } from './context.ts'
import type { Resource } from './definition.ts'
import { badRequest } from './errors.ts'

/**
 * A patch with its documents merged into the stored ones and its nulls applied:
 * null clears a field that may be null, and resets one that has a default.
 */
export function mergeDocuments(resource: Resource, current: AnyRow, patch: Item): Item {
  const faults: string[] = []
  const merged: Item = {}
  for (const [name, value] of Object.entries(patch)) {
    const props = resource.fields[name]?.props
    if (!props || value === undefined) continue
    merged[name] = value === null && !props.isNullable ? props.fallback : value
    const isDocument =
      props.storage.kind === 'document' || (props.storage.kind === 'column' && props.storage.type === 'jsonb')
    if (!isDocument || value === null) continue
    const parsed = props.input.safeParse(merge(current[name], value), { error: messageOf })
    if (parsed.success) merged[name] = parsed.data
    else faults.push(...faultsOf(parsed.error, [name]))
  }
  if (faults.length > 0) throw badRequest(faults)
  return merged
}

const isObject = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Objects merge by key and null removes a key; everything else replaces. */
export function merge(stored: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const result = new Map(Object.entries(isObject(stored) ? stored : {}))
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) result.delete(key)
    else result.set(key, merge(result.get(key), value))
  }
  return Object.fromEntries(result)
}
