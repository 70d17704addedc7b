// Added to the exponent, which goes from -324 to 308, so that it always has three digits.
const EXPONENT_OFFSET = 500

/**
 * A finite number as text in the order of the numbers: sign, exponent, then decimal digits without trailing zeros, so that all numbers
 * with the same first digits share a prefix and a range between round numbers is a union of few prefixes.
 */
export function sortableNumber(value: number): string {
  if (value === 0) return '1'
  const text = Math.abs(value).toExponential()
  const end = text.indexOf('e')
  const exponent = `${Number(text.slice(end + 1)) + EXPONENT_OFFSET}`
  const digits = exponent + text.slice(0, 1) + text.slice(2, end)
  // Below zero more is less: digits count down, and the end of the digits comes after any further digit.
  return value > 0 ? `2${digits}` : `0${digits.replaceAll(/\d/g, (digit) => `${9 - Number(digit)}`)}~`
}
