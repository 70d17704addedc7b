import { looksLike } from '../../server/domain/observables/looks.ts'
import { defangAs, refangAs } from '../../server/domain/observables/refang.ts'
import { LOOKS, OBSERVABLE_TYPES } from './observable-types.ts'

/** Defangs the value of an observable, so that no software turns it into a link. */
export const defang = (type: string, value: string): string => defangAs(OBSERVABLE_TYPES[type]?.defanging, value)

/** The stored value of a defanged observable; undoes `defang`. */
export const refangValue = (type: string, value: string): string => refangAs(OBSERVABLE_TYPES[type]?.defanging, value)

/** Guesses the type of a value from its form. */
export const typeLookedLike = (value: string): string | undefined => looksLike(value, LOOKS)

/** The names of all observable types, as options of inputs. */
export const OBSERVABLE_TYPE_NAMES: readonly string[] = Object.keys(OBSERVABLE_TYPES)

/** The display name of an observable type. */
export const observableTypeName = (type: string): string => OBSERVABLE_TYPES[type]?.label ?? type.replaceAll('-', ' ')
