import { inTurns } from '../../engine/in-turns.ts'
import type { Context, Item } from '../../engine/resource.ts'
import { searchDocument } from '../../search/document.ts'
import { tagLexeme } from '../../search/lexemes.ts'
import { foldCase } from '../../search/words.ts'
import { dictionaryOf, isCurrent, type KnownDictionary } from './dictionary.ts'
import { holdWords, learnWords } from './learn-words.ts'

/** What a write of entities knows before its transaction begins. */
export interface SearchPreparation {
  /** The search vectors of items as they were sent, still without their taxonomies and attacks. */
  readonly vectors: ReadonlyMap<object, Buffer>
  /** The dictionary that has all their words. */
  readonly dictionary: KnownDictionary
}

/**
 * Makes the search vectors of entities and adds their words to the dictionary. This happens before the transaction that
 * stores them: each statement of the dictionary commits on its own, so that writers do not wait for each other's words.
 */
export async function prepareSearch({ db }: Context, items: readonly Item[]): Promise<SearchPreparation> {
  const dictionary = dictionaryOf(db)
  const vectors = new Map<object, Buffer>()
  const unknown = new Set<string>()
  const note = (word: string): void => {
    if (!dictionary.words.has(word)) unknown.add(word)
  }
  await inTurns(items, (item) => {
    const meta = (item.meta ?? {}) as Item
    const tags = tagsOf(meta)
    for (const tag of tags) for (const word of wordsOfTag(tag)) note(word)
    if (typeof item.data !== 'object' || item.data === null) return
    const alias = typeof meta.alias === 'string' ? meta.alias : undefined
    const { vector, words } = searchDocument({ data: item.data as Item, alias, tags, taxonomies: [], attacks: [] })
    for (const word of words) note(word)
    vectors.set(item, vector)
  })
  // A word that is added before the epoch is known may have been forgotten before that.
  await dictionary.epoch
  await learnWords(db, unknown)
  if (isCurrent(dictionary)) for (const word of unknown) dictionary.words.add(word)
  return { vectors, dictionary }
}

/** Adds tags to the dictionary that do not come with an entity, in the transaction that stores them. */
export const learnTags = ({ db }: Context, tags: readonly string[]): Promise<void> =>
  holdWords(db, new Set(tags.flatMap(wordsOfTag)))

/** The dictionary has a tag as its lexeme, unless that is only a hash. */
function wordsOfTag(tag: string): readonly string[] {
  const lexeme = tagLexeme(tag)
  return foldCase(tag).startsWith(lexeme.slice(2)) ? [lexeme] : []
}

const tagsOf = ({ tags }: Item): readonly string[] => (Array.isArray(tags) ? tags.map((tag) => String(tag).trim()) : [])
