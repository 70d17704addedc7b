import { inTurns } from '../../engine/in-turns.ts'
import type { Context, Item } from '../../engine/resource.ts'
import { type SearchDocument, searchDocument } from '../../search/document.ts'
import { learnWords } from './learn-words.ts'

// By the first of the items that a request writes.
const documents = new WeakMap<Item, (SearchDocument | undefined)[]>()

/** Puts the words of entities into the dictionary while they are stored. */
export async function learnTheirWords({ db }: Context, items: readonly Item[]): Promise<void> {
  const words = new Set<string>()
  const made: (SearchDocument | undefined)[] = []
  if (items[0]) documents.set(items[0], made)
  await inTurns(items, ({ data, meta }, i) => {
    if (typeof data !== 'object' || data === null) return
    const document = documentOf(data as Item, (meta ?? {}) as Item)
    made[i] = document
    for (const word of document.words) words.add(word)
  })
  await learnWords(db, words)
}

/** The search documents of new items without their taxonomies and attacks, as far as they were made already. */
export const documentsOf = ([first]: readonly object[]): readonly (SearchDocument | undefined)[] =>
  (first && documents.get(first as Item)) ?? []

const documentOf = (data: Item, { alias, tags }: Item): SearchDocument =>
  searchDocument({
    data,
    alias: typeof alias === 'string' ? alias : undefined,
    tags: Array.isArray(tags) ? tags.map((tag) => String(tag).trim()) : [],
    taxonomies: [],
    attacks: [],
  })
