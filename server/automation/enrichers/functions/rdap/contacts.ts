import { isRecord } from '../../../../domain/record.ts'
import { listOf } from '../../../../formats/json/record.ts'

/** A person or an organisation, and what they are for the record. */
export interface Contact {
  readonly roles: readonly string[]
  readonly name: string
  readonly emails: readonly string[]
}

const MAX_DEPTH = 4
const MAX_CONTACTS = 100

/** The contacts in a record, also those within others. */
export function contactsIn(record: Readonly<Record<string, unknown>>, depth = 0): Contact[] {
  if (depth > MAX_DEPTH) return []
  return listOf(record.entities)
    .slice(0, MAX_CONTACTS)
    .filter(isRecord)
    .flatMap((entity) => [contactOf(entity), ...contactsIn(entity, depth + 1)])
    .slice(0, MAX_CONTACTS)
}

function contactOf(entity: Readonly<Record<string, unknown>>): Contact {
  const card = listOf(entity.vcardArray)
  // A jCard is a list of properties: name, parameters, type, values.
  const properties = listOf(card[1]).filter(Array.isArray)
  const valuesOf = (wanted: string): string[] =>
    properties.flatMap(([name, , , value]) =>
      typeof name === 'string' && name.toLowerCase() === wanted && typeof value === 'string' && value.trim() !== ''
        ? [value.trim()]
        : [],
    )
  return {
    roles: listOf(entity.roles).filter((role): role is string => typeof role === 'string'),
    name: valuesOf('org')[0] ?? valuesOf('fn')[0] ?? '',
    emails: valuesOf('email'),
  }
}
