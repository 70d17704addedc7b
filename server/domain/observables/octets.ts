import { withPlainDashes } from './spelling.ts'

/** Pairs after one separator throughout, groups of four after dots, or bare digits; written in pairs after colons. */
export function octetsOf(text: string, count: number): string | undefined {
  const plain = withPlainDashes(text)
  const isSpelled =
    /^[\da-f]{2}(?:(?::[\da-f]{2})+|(?:-[\da-f]{2})+)$/i.test(plain) ||
    /^[\da-f]{4}(?:\.[\da-f]{4})+$/i.test(plain) ||
    /^[\da-f]+$/i.test(plain)
  const digits = plain.replace(/[:.-]/g, '').toLowerCase()
  if (!isSpelled || digits.length !== 2 * count) return undefined
  return digits.match(/../g)?.join(':')
}
