import type { FoundRelationship } from '../finding.ts'
import { type Extension, originOf, separateExtension } from './extension.ts'
import { partsOf, stixIdOf, uuidOf } from './ids.ts'
import { makeRelationship, RELATIONSHIP_PROPERTIES } from './make-relationship.ts'
import { colourOfObject, type Lookup } from './markings.ts'
import { remember } from './memory.ts'
import { relationshipId } from './relation-id.ts'
import type { StixObject } from './stix-object.ts'
import { isLater, momentOf } from './times.ts'

/** Maximum length of a relationship key. */
const KEY_LIMIT = 256

/** Reference properties that become relationships in the graph, with the key of the relationship. */
const EMBEDDED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  grouping: { object_refs: 'contains' },
  note: { object_refs: 'about' },
  'observed-data': { object_refs: 'contains' },
  opinion: { object_refs: 'about' },
  report: { object_refs: 'contains' },
  sighting: { sighting_of_ref: 'sighting-of', where_sighted_refs: 'where-sighted', observed_data_refs: 'based-on' },
}

/** Converts a relationship object, or returns the reason why it cannot be converted. `own` maps STIX ids to entity ids. */
export function readRelationship(
  given: StixObject,
  lookup: Lookup,
  own: (id: string) => string,
): FoundRelationship | { readonly fault: string } {
  const { object, extension } = separateExtension(given)
  const { source_ref, target_ref, relationship_type } = object
  if (!partsOf(source_ref)) return { fault: `source_ref: ${shown(source_ref)} is not an object id` }
  if (!partsOf(target_ref)) return { fault: `target_ref: ${shown(target_ref)} is not an object id` }
  if (typeof relationship_type !== 'string' || relationship_type === '')
    return { fault: 'relationship_type: is required' }
  const tlp_color = colourOfObject(object, lookup)
  const start = momentOf(object.start_time)
  const end = momentOf(object.stop_time)
  const meta = {
    ...(tlp_color && { tlp_color }),
    ...(start && { estimated_threat_start_time: start }),
    ...(end && !isLater(start, end) && { estimated_threat_end_time: end }),
  }
  const id = ownId(object, extension) ?? partsOf(object.id)?.uuid.toLowerCase() ?? uuidOf(object.id)
  const data = {
    ...Object.fromEntries(Object.entries(object).filter(([name, value]) => isKept(name, value, meta))),
    source: endOf(String(source_ref), extension?.ends?.source, own),
    target: endOf(String(target_ref), extension?.ends?.target, own),
    key: keyOf(relationship_type),
  }
  const ends = [String(source_ref), String(target_ref)] as const
  const memory = remember(object.type, object, makeRelationship({ id, data, meta, ends }))
  const whole = { ...data, ...(memory && { stix: { properties: memory } }) }
  const origin = originOf(object, extension)
  const isWithdrawn = object.revoked === true
  return {
    id,
    data: extended(whole, extension),
    meta: { ...meta, ...extension?.meta },
    ...(origin && { origin }),
    ...(isWithdrawn && { isWithdrawn }),
  }
}

/** The id of the entity at one end: the one in the document, otherwise the one in our extension if STIX would give that entity this id. */
function endOf(ref: string, said: string | undefined, own: (id: string) => string): string {
  const known = own(ref)
  const isSameEntity = known === ref && said !== undefined && stixIdOf(said, partsOf(ref)?.type ?? '') === ref
  return isSameEntity ? said : known
}

/** The original UUID of a relationship, as far as the extension still describes the same object. */
const ownId = (object: StixObject, extension: Extension | undefined): string | undefined =>
  extension?.uuid !== undefined &&
  partsOf(`relationship--${extension.uuid}`) &&
  relationshipId(extension.uuid) === object.id
    ? extension.uuid.toLowerCase()
    : undefined

/** Merges the data with that of our extension. The ends always come from the object. */
function extended<T extends FoundRelationship['data']>(data: T, extension: Extension | undefined): T {
  if (!extension) return data
  const { source, target, key } = data
  const given = extension.data?.key
  const whole: Record<string, unknown> = { ...data, ...extension.data, source, target }
  whole.key = typeof given === 'string' && /^[a-z0-9-]{0,256}$/.test(given) ? given : key
  for (const name of extension.absent ?? []) if (!(name === 'source' || name === 'target')) delete whole[name]
  return whole as T
}

/** Whether a property is stored in the relationship's data. Times are stored in the meta. */
function isKept(name: string, value: unknown, meta: Readonly<Record<string, unknown>>): boolean {
  if (RELATIONSHIP_PROPERTIES.has(name) || value === null || name === '__proto__') return false
  if (name === 'start_time') return meta.estimated_threat_start_time === undefined
  if (name === 'stop_time') return meta.estimated_threat_end_time === undefined
  return name !== 'description' || typeof value === 'string'
}

/** Returns the relationships that an object expresses as embedded references. */
export function embeddedRelationships(
  object: StixObject,
  isEntity: (id: string) => boolean,
  own: (id: string) => string,
): FoundRelationship[] {
  return Object.entries(EMBEDDED[object.type] ?? {}).flatMap(([property, key]) => {
    const value = object[property]
    const ids = new Set(Array.isArray(value) ? value : [value])
    return [...ids].flatMap((id): FoundRelationship[] =>
      typeof id === 'string' && id !== object.id && isEntity(id)
        ? [
            {
              id: uuidOf(object.id, property, id),
              data: { source: own(object.id), target: own(id), key, stix_property: property },
              isPart: true,
            },
          ]
        : [],
    )
  })
}

/** Whether a property of an object type is an embedded reference that becomes a relationship. */
export const isEmbedded = (type: string, property: unknown): boolean =>
  typeof property === 'string' && Object.hasOwn(EMBEDDED[type] ?? {}, property)

/** Converts a relationship type to a platform key: a-z, 0-9 and hyphens. */
function keyOf(type: string): string {
  if (/^[a-z0-9-]+$/.test(type) && type.length <= KEY_LIMIT) return type
  const words = type
    .toLowerCase()
    .slice(0, KEY_LIMIT)
    .split(/[^a-z0-9]+/)
  return words.filter((word) => word !== '').join('-') || 'related-to'
}

const shown = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 100))
