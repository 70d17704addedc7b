import { normaliseObservable } from './normalise.ts'
import { type ObservableType, observableTypeOf } from './types.ts'

/** An observable that was read, or what is wrong with which of its fields. */
export type Read = { type: ObservableType; value: string } | { field: string; fault: string }

/** Reads an observable; says what is wrong with which field where it is none. */
export function observableOf(type: unknown, value: unknown, typeField = 'type'): Read {
  if (typeof type !== 'string') return { field: typeField, fault: 'is required' }
  if (typeof value !== 'string') return { field: 'value', fault: 'is required' }
  const known = observableTypeOf(type)
  if (!known) return { field: typeField, fault: `'${type.slice(0, 80)}' is no type of observables` }
  const normalised = normaliseObservable(known, value)
  return 'fault' in normalised ? { field: 'value', fault: normalised.fault } : { type: known, value: normalised.value }
}
