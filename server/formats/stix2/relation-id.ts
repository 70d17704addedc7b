import { uuidOf } from './ids.ts'

/** The id of the relationship that we write between an entity and an observable that its object has no other place for. */
export const relationId = (entity: string, observable: string): string =>
  `relationship--${uuidOf(entity, 'related-to', observable)}`
