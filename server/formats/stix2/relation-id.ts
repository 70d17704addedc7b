import { stixIdOf, uuidOf } from './ids.ts'

/** The STIX id of a platform relationship. UUID versions that STIX does not allow are replaced. */
export const relationshipId = (uuid: string): string => stixIdOf(`relationship--${uuid}`, 'relationship')

/** The id of the relationship that we write between an entity and an observable that its object cannot reference otherwise. */
export const relationId = (entity: string, observable: string): string =>
  `relationship--${uuidOf(entity, 'related-to', observable)}`
