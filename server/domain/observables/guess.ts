import { type Look, MAX_VALUE_LENGTH } from './definition.ts'
import { normaliseObservable } from './normalise.ts'
import { refang } from './refang.ts'
import { definitionOf, OBSERVABLE_TYPES, type ObservableType } from './types.ts'

/** What values of each type look like once they are refanged, the most specific first. */
export const LOOKS: readonly (Look & { readonly type: ObservableType })[] = OBSERVABLE_TYPES.flatMap((type) =>
  (definitionOf(type).looks ?? []).map((look) => ({ ...look, type })),
).sort((a, b) => a.order - b.order)

/** The type that a bare value most likely has, or undefined when it could be anything; for pasted lists. */
export function guessType(value: string): ObservableType | undefined {
  const given = value.trim()
  if (given === '' || given.length > MAX_VALUE_LENGTH) return undefined
  const text = refang(given)
  // A value that looks like a type is only of the type when it also normalises.
  return LOOKS.find(({ type, test }) => test.test(text) && 'value' in normaliseObservable(type, given))?.type
}
