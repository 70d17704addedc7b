/** Whether a version is older than another one. Versions are numbers with points, or days; others, and one of each, cannot be compared. */
export function isOlder(version: string, than: string): boolean {
  if (!areComparable(version, than)) return false
  const [a, b] = [partsOf(version), partsOf(than)]
  const at = a.findIndex((part, i) => part !== (b[i] ?? 0))
  return at < 0 ? b.slice(a.length).some((part) => part > 0) : (a[at] ?? 0) < (b[at] ?? 0)
}

/** Whether two versions are of one kind: a day says nothing about a number. */
export const areComparable = (a: string, b: string): boolean => KINDS.some((kind) => kind.test(a) && kind.test(b))

const KINDS = [/^\d{1,9}(?:\.\d{1,9}){0,9}$/, /^\d{4}(?:-\d{1,2}){1,2}$/]

const partsOf = (version: string): number[] => version.split(/[.-]/).map(Number)
