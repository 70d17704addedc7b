/** A mutable record, or the data of an entity under construction. */
export type Json = Record<string, unknown>

/** Removes undefined values, empty strings and empty lists; undefined if nothing is left. */
export function compact(fields: Readonly<Record<string, unknown>>): Json | undefined {
  const entries = Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
    const given = Array.isArray(value) ? value.filter((item) => item !== undefined) : value
    const isAbsent = given === undefined || given === '' || (Array.isArray(given) && given.length === 0)
    return isAbsent ? [] : [[name, given]]
  })
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

/** Appends items to a list of any length. Spreading a hundred thousand arguments into one call would overflow the stack. */
export function append<T>(list: T[], items: readonly T[]): void {
  for (const item of items) list.push(item)
}
