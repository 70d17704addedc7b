/** Integers with this many digits may not fit into a number. */
const LONG_INTEGER = /\d{16}/

/** How many are reported per value. */
const MOST = 20

/** The integers of a JSON text that are not the same as numbers, each with the member that it stands in; `own` names the value itself. */
export function inexactIn(text: string, own = 'value'): string[] {
  if (!LONG_INTEGER.test(text)) return []
  const told: string[] = []
  JSON.parse(text, (name: string, value: unknown, context?: { readonly source?: string }) => {
    const source = context?.source ?? ''
    // A number that is written again as it came has lost nothing that anyone could see.
    const isLost =
      typeof value === 'number' &&
      /^-?\d{16,}$/.test(source) &&
      String(value) !== source &&
      BigInt(source) !== BigInt(value)
    if (isLost && told.length < MOST)
      told.push(`${name || own}: the integer ${source.slice(0, 100)} is kept as ${value}`)
    return value
  })
  return told
}
