import { looksLike } from '../../server/domain/observables/looks.ts'
import { defangAs, refangAs } from '../../server/domain/observables/refang.ts'
import { LOOKS, OBSERVABLE_TYPES } from '../api/observable-types.ts'

/** The value of an observable as people may read it without anything making a link of it. */
export const defang = (type: string, value: string): string => defangAs(OBSERVABLE_TYPES[type]?.defanging, value)

/** The value of an observable as it is stored; undoes `defang`. */
export const refangValue = (type: string, value: string): string => refangAs(OBSERVABLE_TYPES[type]?.defanging, value)

/** The type that a value looks like while people type it. */
export const typeLookedLike = (value: string): string | undefined => looksLike(value, LOOKS)

/** The names of all types, for people to choose from. */
export const OBSERVABLE_TYPE_NAMES: readonly string[] = Object.keys(OBSERVABLE_TYPES)

/** A type of observables as people read it. */
export const observableTypeName = (type: string): string => OBSERVABLE_TYPES[type]?.label ?? type.replaceAll('-', ' ')
