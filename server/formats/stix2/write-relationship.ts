import { isRecord } from '../../domain/record.ts'
import type { ShippedRelationship } from '../shipment.ts'
import { difference, withExtension } from './extension.ts'
import { makeRelationship } from './make-relationship.ts'
import type { Lookup } from './markings.ts'
import { recall } from './memory.ts'
import { readRelationship } from './read-relationship.ts'
import type { StixObject } from './stix-object.ts'
import { isLater, stixTimeOf } from './times.ts'

/** Converts a relationship between two STIX objects. */
export function writeRelationship(relationship: ShippedRelationship, ends: readonly [string, string]): StixObject {
  const { id, data, meta } = relationship
  const memory = isRecord(data.stix) ? data.stix.properties : undefined
  const object = recall('relationship', makeRelationship({ id, data, meta, ends }), memory)
  object.created ??= stixTimeOf(relationship.created)
  object.modified ??= stixTimeOf(relationship.modified)
  if (isLater(object.created, object.modified)) object.modified = object.created
  // The meaning of a marking defined in the document is known only from the colour it gave.
  const lookup = (): object => ({ definition: { tlp: meta.tlp_color } })
  const reading = readRelationship(object as StixObject, lookup as Lookup, (end) =>
    end === ends[0] ? data.source : data.target,
  )
  if ('fault' in reading) return object as StixObject
  const { source_reliability } = meta
  return withExtension(object, {
    ...(object.id !== `relationship--${id}` && { uuid: id }),
    ends: {
      ...(data.source !== ends[0] && { source: data.source }),
      ...(data.target !== ends[1] && { target: data.target }),
    },
    ...difference(data, reading.data),
    ...(source_reliability !== undefined && source_reliability !== null && { meta: { source_reliability } }),
  }) as StixObject
}
