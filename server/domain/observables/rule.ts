/** How the values of one type are recognised and spelled, so that two spellings of one thing become one observable. */
export interface Rule {
  /** What a value has to be; completes "must be …". */
  readonly form: string
  /** The longest value, in UTF-16 code units. It also bounds the work that a normaliser can be made to do. */
  readonly maximum: number
  /** The one spelling of a trimmed, not empty text, or undefined when it cannot be of the type. */
  readonly normalise: (text: string) => string | undefined
}

/** The longest value of the types that hold whole texts, such as detection rules. */
export const LONGEST = 65_536

/** A rule for digests: exactly so many hexadecimal digits, in lower case. */
export function hexadecimal(digits: number, what: string): Rule {
  return {
    form: `${what}: ${digits} hexadecimal digits`,
    maximum: digits,
    normalise: (text) => (text.length === digits && /^[\da-f]+$/i.test(text) ? text.toLowerCase() : undefined),
  }
}

/** The decimal spelling of a whole number from 0 to a maximum, or undefined when the text is none. */
export function wholeNumber(text: string, maximum: bigint): string | undefined {
  if (!/^\d{1,40}$/.test(text)) return undefined
  const number = BigInt(text)
  return number <= maximum ? String(number) : undefined
}

/** The text with the dashes that word processors put in replaced by the one of the keyboard. */
export const withPlainDashes = (text: string): string => text.replace(/[\u2010-\u2015\u2212]/g, '-')
