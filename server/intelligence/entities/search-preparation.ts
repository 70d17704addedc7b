import type { Context, Item } from '../../engine/context.ts'
import { inTurns } from '../../engine/in-turns.ts'
import { SearchDocuments } from '../../search/document.ts'
import { tagLexeme } from '../../search/lexemes.ts'
import { foldCase } from '../../search/words.ts'
import { addAndHoldWords, addWords } from './add-words.ts'
import { dictionaryOf, isCurrent, type KnownDictionary } from './dictionary.ts'
import type { Resolved } from './references.ts'

/** What is prepared before the transaction of a bulk write begins. */
export interface SearchPreparation {
  /** By the data of their items, because an item may get other attacks until it is stored. */
  readonly vectors: ReadonlyMap<object, PreparedVector>
  /** The dictionary, which has all their words. */
  readonly dictionary: KnownDictionary
}

/** The search vector of an entity with these attacks and without taxonomies. */
interface PreparedVector {
  readonly vector: Buffer
  readonly attacks: readonly string[]
}

/** The vector that was prepared for data, if it still applies. */
export function preparedVector(
  { vectors }: SearchPreparation,
  data: object,
  { taxonomies, attacks }: Resolved,
): Buffer | undefined {
  const known = taxonomies.length === 0 ? vectors.get(data) : undefined
  const isSame = known?.attacks.length === attacks.length && attacks.every((id, i) => id === known.attacks[i])
  return isSame ? known?.vector : undefined
}

/**
 * Builds the search vectors of entities and adds their words to the dictionary. This happens before the transaction that
 * stores them: each statement of the dictionary commits on its own, so that writers do not wait for each other's words.
 */
export async function prepareSearch({ db }: Context, items: readonly Item[]): Promise<SearchPreparation> {
  const dictionary = dictionaryOf(db)
  const vectors = new Map<object, PreparedVector>()
  const documents = new SearchDocuments()
  const allTags = new Set<string>()
  await inTurns(items, (item) => {
    const meta = (item.meta ?? {}) as Item
    const tags = tagsOf(meta)
    for (const tag of tags) allTags.add(tag)
    if (typeof item.data !== 'object' || item.data === null) return
    const alias = typeof meta.alias === 'string' ? meta.alias : undefined
    const attacks = attacksOf(meta)
    const vector = documents.vectorOf({ data: item.data as Item, alias, tags, taxonomies: [], attacks })
    vectors.set(item.data, { vector, attacks })
  })
  const unknown = new Set<string>()
  for (const word of documents.words()) if (!dictionary.words.has(word)) unknown.add(word)
  for (const word of [...allTags].flatMap(wordsOfTag)) if (!dictionary.words.has(word)) unknown.add(word)
  // Without the epoch, a word added now could be removed again unnoticed.
  await dictionary.epoch
  await addWords(db, unknown)
  if (isCurrent(dictionary)) for (const word of unknown) dictionary.words.add(word)
  return { vectors, dictionary }
}

/** Adds tags that are not part of a written entity to the dictionary, in the transaction that stores them. */
export const addTags = ({ db }: Context, tags: readonly string[]): Promise<void> =>
  addAndHoldWords(db, new Set(tags.flatMap(wordsOfTag)))

/** The dictionary stores the lexeme of a tag, unless that is a hash. */
function wordsOfTag(tag: string): readonly string[] {
  const lexeme = tagLexeme(tag)
  return foldCase(tag).startsWith(lexeme.slice(2)) ? [lexeme] : []
}

/** Ids as they are stored; URLs and the like are resolved later. */
const attacksOf = ({ attacks }: Item): readonly string[] =>
  Array.isArray(attacks) && attacks.every((id) => typeof id === 'string') ? attacks : []

const tagsOf = ({ tags }: Item): readonly string[] => (Array.isArray(tags) ? tags.map((tag) => String(tag).trim()) : [])
