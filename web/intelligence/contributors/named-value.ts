import { idOf } from '../../api/lists.ts'
import { tlpName } from '../../domain/tlp.ts'

/** The names of objects by id. */
export interface ObjectNames {
  readonly taxonomies: ReadonlyMap<string, string>
  readonly sources: ReadonlyMap<string, string>
}

/** Linked objects, which have tabs of their own. */
const LINKS: ReadonlySet<string> = new Set(['observables', 'attachments'])

/** A value of an entity as it is shown: objects by their names instead of their addresses. */
export function namedValue(path: string, value: unknown, { taxonomies, sources }: ObjectNames): unknown {
  const named = (names: ReadonlyMap<string, string>, item: unknown) =>
    names.get(idOf(String(item))) ?? idOf(String(item))
  if (path === 'meta.taxonomies' && Array.isArray(value)) return value.map((item) => named(taxonomies, item))
  if (path === 'sources' && Array.isArray(value)) return value.map((item) => named(sources, item))
  if (path === 'meta.attacks' && Array.isArray(value)) return value.map((item) => idOf(String(item)))
  if (LINKS.has(path) && Array.isArray(value))
    return `${value.length.toLocaleString('en')} ${value.length === 1 ? path.slice(0, -1) : path}`
  if (path === 'meta.tlp_color' && typeof value === 'string') return `TLP:${tlpName(value)}`
  return value
}
