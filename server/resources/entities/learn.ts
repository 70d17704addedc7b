import { inTurns } from '../../engine/in-turns.ts'
import type { Context, Item } from '../../engine/resource.ts'
import { type SearchDocument, searchDocument } from '../../search/document.ts'
import { learnWords } from './learn-words.ts'

const documents = new WeakMap<object, SearchDocument>()

/** Puts the words of entities into the dictionary while they are stored. */
export async function learnTheirWords({ db }: Context, items: readonly Item[]): Promise<void> {
  const words = new Set<string>()
  await inTurns(items, ({ data, meta }) => {
    if (typeof data !== 'object' || data === null) return
    for (const word of documentOf(data as Item, (meta ?? {}) as Item).words) words.add(word)
  })
  await learnWords(db, words)
}

/** The search document of new data without taxonomies and attacks: made where it is needed first, and only once. */
export function documentOf(data: Item, { alias, tags }: Item): SearchDocument {
  const known = documents.get(data)
  if (known) return known
  const document = searchDocument({
    data,
    alias: typeof alias === 'string' ? alias : undefined,
    tags: Array.isArray(tags) ? tags.map((tag) => String(tag).trim()) : [],
    taxonomies: [],
    attacks: [],
  })
  documents.set(data, document)
  return document
}
