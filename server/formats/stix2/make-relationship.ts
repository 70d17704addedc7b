import { invalidProperties } from './faults.ts'
import { fits } from './kinds.ts'
import { fittingValue, setMarkings } from './make-object.ts'
import { relationshipId } from './relation-id.ts'
import type { Fields } from './stix-object.ts'
import { stixTimeOf } from './times.ts'

/** The parts of a relationship from which a STIX object is made. */
export interface RelationshipSource {
  /** A UUID. */
  readonly id: string
  readonly data: Fields & { readonly key?: string | undefined }
  readonly meta: Fields
  /** The STIX 2 ids of the source and the target. */
  readonly ends: readonly [string, string]
}

/** Properties of relationship data that map to dedicated STIX properties or were added by the platform. */
export const RELATIONSHIP_PROPERTIES: ReadonlySet<string> = new Set([
  'type',
  'spec_version',
  'id',
  'source_ref',
  'target_ref',
  'relationship_type',
  'source',
  'target',
  'key',
  'subtype',
  'stix',
  'stix_property',
])

const REQUIRED = new Set(['relationship_type', 'source_ref', 'target_ref'])

/** Converts a relationship to a STIX object. */
export function makeRelationship({ id, data, meta, ends }: RelationshipSource): Record<string, unknown> {
  const object: Record<string, unknown> = {
    type: 'relationship',
    spec_version: '2.1',
    id: relationshipId(id),
    relationship_type: fits('key', data.key) ? data.key : 'related-to',
    source_ref: ends[0],
    target_ref: ends[1],
  }
  for (const [name, value] of Object.entries(data)) {
    if (RELATIONSHIP_PROPERTIES.has(name)) continue
    const fitting = fittingValue('relationship', name, value)
    if (fitting !== undefined) object[name] = fitting
  }
  const start = stixTimeOf(meta.estimated_threat_start_time)
  const stop = stixTimeOf(meta.estimated_threat_end_time)
  if (object.start_time === undefined && start !== undefined) object.start_time = start
  if (object.stop_time === undefined && stop !== undefined) object.stop_time = stop
  for (const name of invalidProperties(object)) if (!REQUIRED.has(name)) delete object[name]
  // No objects are kept with relationships, so only the predefined markings can be resolved.
  setMarkings(object, meta.tlp_color, () => undefined)
  return object
}
