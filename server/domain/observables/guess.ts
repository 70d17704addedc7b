import { LOOKS } from './looks.ts'
import { normaliseObservable } from './normalise.ts'
import { refang } from './refang.ts'
import { LONGEST } from './rule.ts'
import type { ObservableType } from './types.ts'

/** The type that a bare value most likely has, or undefined when it could be anything; for pasted lists. */
export function guessType(value: string): ObservableType | undefined {
  const given = value.trim()
  if (given === '' || given.length > LONGEST) return undefined
  const text = refang(given)
  // What is looked like is only the type when it also normalises.
  return LOOKS.find(([type, looks]) => looks.test(text) && 'value' in normaliseObservable(type, given))?.[0]
}
