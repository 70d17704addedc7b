/** Integers with this many digits may exceed the precision of numbers. */
const LONG_INTEGER = /\d{16}/

/** Maximum number of integers reported per value. */
const REPORTED_LIMIT = 20

/** Returns the integers of a JSON text that numbers cannot represent, each with its member. `own` names the value itself. */
export function inexactIn(text: string, own = 'value'): string[] {
  if (!LONG_INTEGER.test(text)) return []
  const reported: string[] = []
  JSON.parse(text, (name: string, value: unknown, context?: { readonly source?: string }) => {
    const source = context?.source ?? ''
    // A number that is printed unchanged has lost nothing visible.
    const isLost =
      typeof value === 'number' &&
      /^-?\d{16,}$/.test(source) &&
      String(value) !== source &&
      BigInt(source) !== BigInt(value)
    if (isLost && reported.length < REPORTED_LIMIT)
      reported.push(`${name || own}: the integer ${source.slice(0, 100)} is stored as ${value}`)
    return value
  })
  return reported
}
