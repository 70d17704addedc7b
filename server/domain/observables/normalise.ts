import { refangValue } from './defang.ts'
import { MAX_VALUE_LENGTH } from './definition.ts'
import { definitionOf, type ObservableType } from './types.ts'

/** Maximum length of values that are compared with `plain`: that of a domain name. */
const MAX_PLAIN_LENGTH = 253

/** The value in its one spelling, or what is wrong with it, as the end of a sentence that begins with "value: ". */
export type Normalised = { readonly value: string } | { readonly fault: string }

/** The one spelling of a value, refanged, or the reason why nothing of that type can look like it. */
export function normaliseObservable(type: ObservableType, value: string): Normalised {
  const { form, maximum, normalise, plain } = definitionOf(type)
  if (value.length <= MAX_PLAIN_LENGTH && plain?.test(value)) return { value }
  if (value.includes('\0')) return { fault: 'must not contain the NUL character' }
  if (!value.isWellFormed()) return { fault: 'must be well-formed Unicode, without halves of surrogate pairs' }
  const given = value.trim()
  const tooLong = { fault: `must be ${form}; at most ${maximum} characters` }
  // No way of defanging makes a value longer than this.
  if (given.length > Math.min(8 * maximum, MAX_VALUE_LENGTH)) return tooLong
  const text = refangValue(type, given).trim()
  if (text === '') return { fault: 'must not be empty' }
  if (text.length > maximum) return tooLong
  const normalised = normalise(text)
  if (normalised === undefined) return { fault: `must be ${form}` }
  // Composed letters and encoded spaces can be longer than what came.
  if (normalised.length > maximum) return tooLong
  return { value: normalised }
}
