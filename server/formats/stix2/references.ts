import { isRecord } from '../../domain/record.ts'

/** Returns the distinct ids that an object refers to, in order: in references, markings and extensions. */
export function referencesOf(object: Readonly<Record<string, unknown>>): string[] {
  const ids = new Set<string>()
  for (const [name, value] of Object.entries(object)) visit(name, value, ids)
  if (isRecord(object.extensions))
    for (const id of Object.keys(object.extensions)) if (id.startsWith('extension-definition--')) ids.add(id)
  if (typeof object.id === 'string') ids.delete(object.id)
  return [...ids]
}

// The recursion is safe because documents are at most a hundred levels deep.
function visit(name: string, value: unknown, ids: Set<string>): void {
  if (typeof value === 'string') {
    if (name.endsWith('_ref') || name.endsWith('_refs')) ids.add(value)
  } else if (Array.isArray(value)) {
    for (const item of value) visit(name, item, ids)
  } else if (isRecord(value)) {
    for (const [inner, member] of Object.entries(value)) visit(inner, member, ids)
  }
}
