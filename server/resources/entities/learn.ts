import { inTurns } from '../../engine/in-turns.ts'
import type { Context, Item } from '../../engine/resource.ts'
import { type SearchDocument, searchDocument } from '../../search/document.ts'
import { forgetLearned } from '../../search/learned.ts'
import { tagLexeme } from '../../search/lexemes.ts'
import { LentSlab } from '../../search/slab.ts'
import { foldCase } from '../../search/words.ts'
import { learnWords } from './learn-words.ts'

interface Learned {
  readonly items: readonly Item[]
  readonly documents: (SearchDocument | undefined)[]
  /** Done when there is a document of every item. */
  readonly digesting: Promise<unknown>
  /** Where the bytes of all that is written go. */
  readonly slab: LentSlab | undefined
}

const NOTHING: Item = {}

/** The bytes of as few are not worth to be lent. */
const FEW = 100

// By the first of the items that a request writes.
const learned = new WeakMap<Item, Learned>()

/** The database whose dictionary is remembered. */
let dictionary: Context['db'] | undefined

/** Puts the words of entities into the dictionary while they are stored. */
export async function learnTheirWords({ db }: Context, items: readonly Item[]): Promise<void> {
  if (dictionary !== db) {
    dictionary = db
    known.clear()
    forgetLearned()
  }
  const words = new Set<string>()
  const tags: string[] = []
  const made: (SearchDocument | undefined)[] = []
  const slab = items.length > FEW ? new LentSlab() : undefined
  const digesting = inTurns(items, 'learn', ({ data, meta: given }, i) => {
    const meta = (given ?? NOTHING) as Item
    const own = tagsOf(meta)
    for (const tag of own) addTag(tag, words, tags)
    if (typeof data !== 'object' || data === null) return
    const document = documentOf(data as Item, meta, own, slab)
    made[i] = document
    for (const word of document.words) words.add(word)
  })
  if (items[0]) learned.set(items[0], { items, documents: made, digesting, slab })
  await digesting
  await learnWords(db, words)
  if (known.size + tags.length > TAGS) known.clear()
  for (const tag of tags) known.add(tag)
}

/** What was made of items beside their words. */
interface Known {
  readonly slab: LentSlab | undefined
  /** The search document of a new item without its taxonomies and attacks. */
  documentOf(position: number): SearchDocument | undefined
}

/** Finds what was made of items when their words were learned. */
export async function learnedOf(items: readonly object[]): Promise<Known> {
  const known = learned.get(items[0] as Item)
  await known?.digesting
  return {
    slab: known?.slab,
    documentOf: (position) => (known?.items[position] === items[position] ? known?.documents[position] : undefined),
  }
}

/** Gives back the memory of items that are written, when their answer is printed. */
export function forgetTheirs([first]: readonly Item[]): void {
  if (!first) return
  learned.get(first)?.slab?.giveBack()
  learned.delete(first)
}

/** Puts tags into the dictionary that do not come with an entity. */
export async function learnTags({ db }: Context, tags: readonly string[]): Promise<void> {
  const words = new Set<string>()
  for (const tag of tags) addTag(tag, words, [])
  await learnWords(db, words)
}

const TAGS = 20_000
const known = new Set<string>()

/** A tag stands in the dictionary as its lexeme, unless that has only its hash; most are in it already. */
function addTag(tag: string, words: Set<string>, tags: string[]): void {
  if (known.has(tag)) return
  tags.push(tag)
  const lexeme = tagLexeme(tag)
  if (foldCase(tag).startsWith(lexeme.slice(2))) words.add(lexeme)
}

const NONE: readonly string[] = []

const tagsOf = ({ tags }: Item): readonly string[] =>
  Array.isArray(tags) && tags.length > 0 ? tags.map((tag) => String(tag).trim()) : NONE

const documentOf = (data: Item, meta: Item, tags: readonly string[], slab: LentSlab | undefined): SearchDocument =>
  searchDocument(
    { data, alias: typeof meta.alias === 'string' ? meta.alias : undefined, tags, taxonomies: [], attacks: [] },
    slab,
  )
