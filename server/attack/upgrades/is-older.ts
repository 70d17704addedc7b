/** Whether a version is older than another one. Versions are numbers with points, or days; others cannot be compared. */
export function isOlder(version: string, than: string): boolean {
  const [a, b] = [partsOf(version), partsOf(than)]
  if (!a || !b) return false
  const at = a.findIndex((part, i) => part !== (b[i] ?? 0))
  return at < 0 ? b.slice(a.length).some((part) => part > 0) : (a[at] ?? 0) < (b[at] ?? 0)
}

const partsOf = (version: string): number[] | undefined =>
  /^\d{1,9}(?:[.-]\d{1,9}){0,9}$/.test(version) ? version.split(/[.-]/).map(Number) : undefined
