import { addressRules } from './addresses.ts'
import { financeRules } from './finance.ts'
import { freeTextRules } from './free-text.ts'
import { hashRules } from './hashes.ts'
import { identifierRules } from './identifiers.ts'
import { nameRules } from './names.ts'
import { networkRules } from './network.ts'
import { placeRules } from './places.ts'
import { refangValue } from './refang.ts'
import { LONGEST, type Rule } from './rule.ts'
import { systemRules } from './system.ts'
import { tlsRules } from './tls.ts'
import type { ObservableType } from './types.ts'
import { webRules } from './web.ts'

const RULES: Readonly<Record<ObservableType, Rule>> = {
  ...addressRules,
  ...financeRules,
  ...freeTextRules,
  ...hashRules,
  ...identifierRules,
  ...nameRules,
  ...networkRules,
  ...placeRules,
  ...systemRules,
  ...tlsRules,
  ...webRules,
}

const NAME = String.raw`(?:[a-z\d_-]{1,63}\.)+[a-z]{2,63}`

/** What is in its one spelling for certain: most names and addresses of the web are, and they come by the million. */
const PLAIN: Readonly<Partial<Record<ObservableType, RegExp>>> = {
  domain: new RegExp(`^${NAME}$`),
  host: new RegExp(`^${NAME}$`),
  email: new RegExp(String.raw`^(?=[^@]{1,64}@)[a-z\d]+(?:[._-][a-z\d]+)*@${NAME}$`),
  uri: new RegExp(`^https?://${NAME}(?:[/?#][!-~]*)?$`),
}
/** As long as a name in the domain name system may be. */
const LONGEST_PLAIN = 253

/** The value in its one spelling, or what is wrong with it, as the end of a sentence that begins with "value: ". */
export type Normalised = { readonly value: string } | { readonly fault: string }

/** The one spelling of a value, refanged, or the reason why nothing of that type can look like it. */
export function normaliseObservable(type: ObservableType, value: string): Normalised {
  if (value.length <= LONGEST_PLAIN && PLAIN[type]?.test(value)) return { value }
  const { form, maximum, normalise } = RULES[type]
  if (value.includes('\0')) return { fault: 'must not contain the NUL character' }
  if (!value.isWellFormed()) return { fault: 'must be well-formed Unicode, without halves of surrogate pairs' }
  const given = value.trim()
  const tooLong = { fault: `must be ${form}; at most ${maximum} characters` }
  // No way to defang takes more room than this: what is longer is not worth looking at.
  if (given.length > Math.min(8 * maximum, LONGEST)) return tooLong
  const text = refangValue(type, given).trim()
  if (text === '') return { fault: 'must not be empty' }
  if (text.length > maximum) return tooLong
  const normalised = normalise(text)
  if (normalised === undefined) return { fault: `must be ${form}` }
  // Composed letters and encoded spaces can be longer than what came.
  if (normalised.length > maximum) return tooLong
  return { value: normalised }
}
