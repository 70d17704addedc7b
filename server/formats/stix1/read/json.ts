/** A record, or the data of an entity, while it is put together. */
export type Json = Record<string, unknown>

/** A record without what is not there: undefined, empty texts, empty lists; undefined where nothing is left. */
export function compact(fields: Readonly<Record<string, unknown>>): Json | undefined {
  const entries = Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
    const given = Array.isArray(value) ? value.filter((item) => item !== undefined) : value
    const isAbsent = given === undefined || given === '' || (Array.isArray(given) && given.length === 0)
    return isAbsent ? [] : [[name, given]]
  })
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

/** Adds items to a list, however many there are: as arguments of one call, a hundred thousand would be too many. */
export function append<T>(list: T[], items: readonly T[]): void {
  for (const item of items) list.push(item)
}
