/** The decimal spelling of a whole number from 0 to a maximum, or undefined when the text is none. */
export function wholeNumber(text: string, maximum: bigint): string | undefined {
  if (!/^\d{1,40}$/.test(text)) return undefined
  const number = BigInt(text)
  return number <= maximum ? String(number) : undefined
}

/** The text with the dashes that word processors put in replaced by the one of the keyboard. */
export const withPlainDashes = (text: string): string => text.replace(/[\u2010-\u2015\u2212]/g, '-')
