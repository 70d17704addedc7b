import { stixIdOf, uuidOf } from './ids.ts'

/** The id in STIX of a relationship of the platform: UUIDs of newer kinds than STIX knows are replaced. */
export const relationshipId = (uuid: string): string => stixIdOf(`relationship--${uuid}`, 'relationship')

/** The id of the relationship that we write between an entity and an observable that its object has no other place for. */
export const relationId = (entity: string, observable: string): string =>
  `relationship--${uuidOf(entity, 'related-to', observable)}`
