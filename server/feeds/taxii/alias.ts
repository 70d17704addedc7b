import type { Collection } from './collections.ts'

const MAX_ALIAS_LENGTH = 100

/**
 * The aliases of collections: the letters and digits of their titles, in lower case. Among collections with the same alias the oldest
 * gets it, so that a new collection never takes it over. An alias that looks like an id is not used.
 */
export function aliasesOf(collections: readonly Collection[]): Map<Collection, string> {
  const aliases = new Map<Collection, string>()
  const taken = new Set<string>()
  const age = ({ created_at, id }: Collection) => `${created_at} ${id}`
  for (const collection of collections.toSorted((a, b) => (age(a) < age(b) ? -1 : 1))) {
    const alias = slugOf(collection.title)
    if (alias === '' || taken.has(alias) || /^[0-9a-f]{8}-[0-9a-f]{4}-/.test(alias)) continue
    taken.add(alias)
    aliases.set(collection, alias)
  }
  return aliases
}

/** `Menaces élevées (2024)` becomes `menaces-elevees-2024`. */
const slugOf = (title: string): string =>
  title
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_ALIAS_LENGTH)
    .replaceAll(/^-|-$/g, '')
