import type { Context, Item } from '../../engine/resource.ts'
import { type SearchDocument, searchDocument } from '../../search/document.ts'
import { learnWords } from './learn-words.ts'

// A search document is made once, before the transaction, where its words are needed first.
const documents = new WeakMap<object, SearchDocument>()

/** The search document that was made of this data already. */
export const documentOf = (data: object): SearchDocument | undefined => documents.get(data)

/** Puts the words of entities into the dictionary before they are stored. */
export async function learnTheirWords({ db }: Context, items: readonly Item[]): Promise<void> {
  const words = new Set<string>()
  for (const { data, meta } of items) {
    if (typeof data !== 'object' || data === null) continue
    const { alias, tags } = (meta ?? {}) as { alias?: unknown; tags?: unknown }
    const document = searchDocument({
      data: data as Item,
      alias: typeof alias === 'string' ? alias : undefined,
      tags: Array.isArray(tags) ? tags.map((tag) => String(tag).trim()) : [],
      taxonomies: [],
      attacks: [],
    })
    documents.set(data, document)
    for (const word of document.words) words.add(word)
  }
  await learnWords(db, words)
}
