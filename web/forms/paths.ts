/** The position of a value in a document: property names and list indexes. */
export type Path = readonly (string | number)[]

/** A JSON object. */
export type Document = Readonly<Record<string, unknown>>

/** Whether a value is a JSON object. */
export const isDocument = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A path as the API writes it: `data.victims[0].name`. */
export const pathText = (path: Path): string =>
  path.map((part, i) => (typeof part === 'number' ? `[${part}]` : `${i > 0 ? '.' : ''}${part}`)).join('')

/**
 * The document with another value at a path; all other parts keep their identity. Undefined removes the property, because a form
 * has no other way to express that.
 */
export function withValue(whole: unknown, [part, ...rest]: Path, value: unknown): unknown {
  if (part === undefined) return value
  if (typeof part === 'number') {
    const list = Array.isArray(whole) ? [...whole] : []
    list[part] = withValue(list[part], rest, value)
    return list
  }
  const { [part]: before, ...others } = isDocument(whole) ? whole : {}
  const next = withValue(before, rest, value)
  if (next === undefined) return others
  // Properties keep their order, so that the result resembles the original.
  return isDocument(whole) && Object.hasOwn(whole, part) ? { ...whole, [part]: next } : { ...others, [part]: next }
}

/** Whether two JSON values are equal; absent and undefined are the same. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => isSame(item, b[i]))
  if (!isDocument(a) || !isDocument(b)) return false
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...names].every((name) => isSame(a[name], b[name]))
}
