import type { StixFields } from '../../domain/observables/definition.ts'
import { definitionOf, observableTypeOf } from '../../domain/observables/types.ts'
import type { FoundObservable } from '../finding.ts'
import { OWN_TYPE } from './cyber-observables.ts'
import { EXTENSION_ID } from './extension.ts'
import { isValidObject } from './faults.ts'
import { observableId } from './observable-ids.ts'
import type { StixObject } from './stix-object.ts'

/** The cyber observable that an observable of the platform is in STIX; one of our own type where STIX takes no such value. */
export function makeObservable({ type, value }: Pick<FoundObservable, 'type' | 'value'>): StixObject {
  const known = observableTypeOf(type)
  const fields = known && definitionOf(known).stix?.(value)
  const object = fields && withId(fields)
  if (object && isValidObject(object)) return object
  const extensions = { [EXTENSION_ID]: { extension_type: 'new-sco' } }
  return withId({ type: OWN_TYPE, observable_type: type, value, extensions })
}

const withId = (fields: StixFields): StixObject => ({ ...fields, spec_version: '2.1', id: observableId(fields) })
