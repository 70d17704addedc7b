import { parse, v5 } from 'uuid'
import { typeNamed, typeOfStixId } from '../../domain/stix-ids.ts'
import { isObservableType } from './cyber-observables.ts'

const TYPE = /^[a-zA-Z0-9][a-zA-Z0-9_-]{0,249}$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const UUID_LENGTH = 36

/** The namespace of the ids that we generate. Changing it would give existing objects new ids. */
const NAMESPACE = parse('b7d0c1f6-3f0e-5a3b-9c55-6f5c1e6b7a10')

/** The STIX 2 domain objects, and sightings, the one relationship object that becomes an entity. */
export const DOMAIN_TYPES: readonly string[] =
  `attack-pattern campaign course-of-action grouping identity incident indicator infrastructure intrusion-set location malware
  malware-analysis note observed-data opinion report sighting threat-actor tool vulnerability`.split(/\s+/)

/** Splits a STIX 2 id into type and UUID; undefined for any other text. */
export function partsOf(id: unknown): { readonly type: string; readonly uuid: string } | undefined {
  if (typeof id !== 'string') return undefined
  const end = id.length - UUID_LENGTH - 2
  if (end < 1 || id.charAt(end) !== '-' || id.charAt(end + 1) !== '-') return undefined
  const type = id.slice(0, end)
  const uuid = id.slice(end + 2)
  return UUID.test(uuid) && TYPE.test(type) ? { type, uuid } : undefined
}

/** Whether a text is an id that the STIX 2.1 schemas accept, optionally of a given type. */
export function isStixId(id: unknown, type?: string): boolean {
  const parts = partsOf(id)
  if (!parts || (type !== undefined && parts.type !== type)) return false
  return /^[a-z][a-z0-9-]+[a-z0-9]$/.test(parts.type) && /^[1-5]...-[89ab]/i.test(parts.uuid.slice(14))
}

/** The entity type of a domain object. Types that STIX does not define become custom entities. */
export const entityTypeOf = (type: string): string =>
  (isDomainType(type) ? typeNamed(type) : undefined) ?? 'custom-entity'

/** Whether STIX defines this type as a domain object. */
export const isDomainType = (type: string): boolean => DOMAIN.has(type)

const DOMAIN: ReadonlySet<string> = new Set(DOMAIN_TYPES)

/** A deterministic UUID for a list of words. */
export const uuidOf = (...words: readonly string[]): string => v5(words.join(' '), NAMESPACE)

/** The STIX 2 id of an entity: its own if that is valid, otherwise one derived from it. */
export function stixIdOf(id: string, type: string): string {
  return isStixId(id, type) ? id : `${type}--${uuidOf(id)}`
}

/** The STIX 2 type of an entity: the type in its id if it matches the entity type, otherwise the closest one. */
export function stixTypeOf(
  data: Readonly<Record<string, unknown>> & { readonly id: string; readonly type: string },
): string {
  const own = partsOf(data.id)?.type
  if (own !== undefined && entityTypeOf(own) === data.type && (isDomainType(own) || isCustomType(own))) return own
  switch (data.type) {
    case 'exploit-target':
      return 'vulnerability'
    case 'ttp':
      return hasMalware(data.behavior) ? 'malware' : 'attack-pattern'
    case 'vendor-sighting':
      return typeof data.sighting_of_ref === 'string' ? 'sighting' : 'observed-data'
    case 'custom-entity':
      return customType(data.custom_entity_type)
    default:
      return data.type
  }
}

/** Converts a referenced id to STIX 2; undefined if its type cannot be determined. */
export function referenceOf(id: string): string | undefined {
  const parts = partsOf(id)
  if (parts) return stixIdOf(id, parts.type.toLowerCase())
  const type = typeOfStixId(id)
  if (type === undefined) return undefined
  return stixIdOf(id, stixTypeOf({ id, type, sighting_of_ref: '' }))
}

function hasMalware(behavior: unknown): boolean {
  if (typeof behavior !== 'object' || behavior === null || !('malware_instances' in behavior)) return false
  return Array.isArray(behavior.malware_instances) && behavior.malware_instances.length > 0
}

/** STIX type names that are neither domain objects nor cyber observables. */
const RESERVED = new Set([
  'action',
  'bundle',
  'extension-definition',
  'language-content',
  'marking-definition',
  'relationship',
])

/** Whether this name is allowed for a custom object type. */
const isCustomType = (type: string): boolean => isTypeName(type) && !RESERVED.has(type) && !isObservableType(type)

/** Whether a text is a valid type name: lower-case letters and digits in words separated by hyphens. */
export const isTypeName = (name: string): boolean =>
  name.length >= 3 &&
  name.length <= 250 &&
  /^[a-z]/.test(name) &&
  name.split('-').every((word) => /^[a-z0-9]+$/.test(word))

/** Converts a name to a valid custom type: lower case, digits and hyphens, starting with `x-`. */
function customType(name: unknown): string {
  const words = String(name ?? '')
    .toLowerCase()
    .slice(0, 200)
    .split(/[^a-z0-9]+/)
  const plain = words.filter((word) => word !== '').join('-')
  return plain.startsWith('x-') ? plain : `x-${plain || 'entity'}`
}
