import { inTurns } from '../../engine/in-turns.ts'
import type { Context, Item } from '../../engine/resource.ts'
import { type SearchDocument, searchDocument } from '../../search/document.ts'
import { tagLexeme } from '../../search/lexemes.ts'
import { learnWord } from '../../search/terms.ts'
import { foldCase } from '../../search/words.ts'
import { isCurrent, type Memory, memoryOf } from './dictionary.ts'
import { holdWords, learnWords } from './learn-words.ts'

/** What a write of entities knows before its transaction begins. */
export interface SearchPreparation {
  /** The search documents of new items, still without their taxonomies and attacks. */
  readonly documents: ReadonlyMap<object, SearchDocument>
  /** The state of the dictionary that has all their words. */
  readonly memory: Memory
}

/**
 * Makes the search documents of entities and adds their words to the dictionary. This happens before the transaction that
 * stores them: each statement of the dictionary commits on its own, so that writers do not wait for each other's words.
 */
export async function prepareSearch({ db }: Context, items: readonly Item[]): Promise<SearchPreparation> {
  const memory = memoryOf(db)
  const documents = new Map<object, SearchDocument>()
  const words = new Set<string>()
  const tags: string[] = []
  await inTurns(items, (item) => {
    const meta = (item.meta ?? {}) as Item
    const own = tagsOf(meta)
    for (const tag of own) if (!memory.tags.has(tag)) addTag(tag, words, tags)
    if (typeof item.data !== 'object' || item.data === null) return
    const alias = typeof meta.alias === 'string' ? meta.alias : undefined
    const document = searchDocument({ data: item.data as Item, alias, tags: own, taxonomies: [], attacks: [] })
    for (const word of document.words) words.add(word)
    documents.set(item, document)
  })
  // A word that is added before the epoch is known may have been forgotten before that.
  await memory.epoch
  await learnWords(db, words)
  if (isCurrent(memory)) remember(memory, words, tags)
  return { documents, memory }
}

/** Adds tags to the dictionary that do not come with an entity, in the transaction that stores them. */
export async function learnTags({ db }: Context, tags: readonly string[]): Promise<void> {
  const words = new Set<string>()
  for (const tag of tags) addTag(tag, words, [])
  await holdWords(db, words)
}

const REMEMBERED_TAGS = 20_000

function remember(memory: Memory, words: ReadonlySet<string>, tags: readonly string[]): void {
  for (const word of words) learnWord(word)
  if (memory.tags.size + tags.length > REMEMBERED_TAGS) memory.tags.clear()
  for (const tag of tags) memory.tags.add(tag)
}

/** The dictionary has a tag as its lexeme, unless that is only a hash. */
function addTag(tag: string, words: Set<string>, tags: string[]): void {
  tags.push(tag)
  const lexeme = tagLexeme(tag)
  if (foldCase(tag).startsWith(lexeme.slice(2))) words.add(lexeme)
}

const tagsOf = ({ tags }: Item): readonly string[] => (Array.isArray(tags) ? tags.map((tag) => String(tag).trim()) : [])
