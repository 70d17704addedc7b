// Added to the exponent, which ranges from -324 to 308, so that it always has three digits.
const EXPONENT_OFFSET = 500

/**
 * A finite number as text that sorts like the number: sign, exponent, then decimal digits without trailing zeros. Numbers with the same
 * leading digits share a prefix, so that a range between round numbers is a union of few prefixes.
 */
export function sortableNumber(value: number): string {
  if (value === 0) return '1'
  const text = Math.abs(value).toExponential()
  const end = text.indexOf('e')
  const exponent = `${Number(text.slice(end + 1)) + EXPONENT_OFFSET}`
  const digits = exponent + text.slice(0, 1) + text.slice(2, end)
  // Negative numbers sort in reverse: their digits are complemented, and `~` at the end sorts after any further digit.
  return value > 0 ? `2${digits}` : `0${digits.replaceAll(/\d/g, (digit) => `${9 - Number(digit)}`)}~`
}
