import { defangAs, refangAs } from './refang.ts'
import { definitionOf, type ObservableType } from './types.ts'

/** A value as people may read it without anything making a link of it. */
export const defang = (type: ObservableType, value: string): string => defangAs(definitionOf(type).defanging, value)

/** A value of a type, refanged when values of that type are ever defanged; undoes `defang`. */
export const refangValue = (type: ObservableType, value: string): string =>
  refangAs(definitionOf(type).defanging, value)

/** A normalised value as people may see it: cards masked, what could be clicked defanged, everything else unchanged. */
export const displayValue = (type: ObservableType, value: string): string =>
  definitionOf(type).display?.(value) ?? defang(type, value)
