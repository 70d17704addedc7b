/** Integers of so many digits may be more than numbers hold. */
const LONG_INTEGER = /\d{16}/

/** How many are told of one value. */
const MOST = 20

/** The integers of a JSON text that are not the same as numbers, told by the members that they stand in. */
export function inexactIn(text: string): string[] {
  if (!LONG_INTEGER.test(text)) return []
  const told: string[] = []
  JSON.parse(text, (name: string, value: unknown, context?: { readonly source?: string }) => {
    const source = context?.source ?? ''
    const isLost = typeof value === 'number' && /^-?\d{16,}$/.test(source) && BigInt(source) !== BigInt(value)
    if (isLost && told.length < MOST) told.push(`${name}: the integer ${source.slice(0, 100)} is kept as ${value}`)
    return value
  })
  return told
}
