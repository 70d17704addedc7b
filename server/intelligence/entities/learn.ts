import { inTurns } from '../../engine/in-turns.ts'
import type { Context, Item } from '../../engine/resource.ts'
import { type SearchDocument, searchDocument } from '../../search/document.ts'
import { tagLexeme } from '../../search/lexemes.ts'
import { learnWord } from '../../search/terms.ts'
import { foldCase } from '../../search/words.ts'
import { isCurrent, type Memory, memoryOf } from './dictionary.ts'
import { holdWords, learnWords } from './learn-words.ts'

interface Learned {
  readonly items: readonly Item[]
  readonly documents: (SearchDocument | undefined)[]
  /** Done when there is a document of every item. */
  readonly digesting: Promise<unknown>
  /** What was remembered of the dictionary when they were learned. */
  readonly memory: Memory
  /** Done when their words are in the dictionary. */
  readonly learning: Promise<void>
}

const NOTHING: Item = {}

// By the first of the items that a request writes.
const learned = new WeakMap<Item, Learned>()

/** Puts the words of entities into the dictionary while they are stored. */
export function learnTheirWords({ db }: Context, items: readonly Item[]): Promise<void> {
  const memory = memoryOf(db)
  const words = new Set<string>()
  const tags: string[] = []
  const made: (SearchDocument | undefined)[] = []
  const digesting = inTurns(items, ({ data, meta: given }, i) => {
    const meta = (given ?? NOTHING) as Item
    const own = tagsOf(meta)
    for (const tag of own) if (!memory.tags.has(tag)) addTag(tag, words, tags)
    if (typeof data !== 'object' || data === null) return
    const document = documentOf(data as Item, meta, own)
    made[i] = document
    for (const word of document.words) words.add(word)
  })
  const learning = digesting.then(() => store(db, memory, words, tags))
  // It is awaited later; until then a rejection must not count as unhandled.
  learning.catch(() => {})
  if (items[0]) learned.set(items[0], { items, documents: made, digesting, memory, learning })
  return learning
}

async function store(db: Context['db'], memory: Memory, words: ReadonlySet<string>, tags: readonly string[]) {
  // Words that were put into it before the epoch was known might have been forgotten before that, too.
  await memory.epoch
  await learnWords(db, words)
  if (!isCurrent(memory)) return
  for (const word of words) learnWord(word)
  if (memory.tags.size + tags.length > TAGS) memory.tags.clear()
  for (const tag of tags) memory.tags.add(tag)
}

/** What was made of items beside their words. */
interface Known {
  /** For `keepWords`. */
  readonly memory: Memory | undefined
  readonly learning: Promise<void> | undefined
  /** The search document of a new item without its taxonomies and attacks. */
  documentOf(position: number): SearchDocument | undefined
}

/** Finds what was made of items when their words were learned. */
export async function learnedOf(items: readonly object[]): Promise<Known> {
  const known = learned.get(items[0] as Item)
  await known?.digesting
  return {
    memory: known?.memory,
    learning: known?.learning,
    documentOf: (position) => (known?.items[position] === items[position] ? known?.documents[position] : undefined),
  }
}

/** Puts tags into the dictionary that do not come with an entity, in the transaction that stores them. */
export async function learnTags({ db }: Context, tags: readonly string[]): Promise<void> {
  const words = new Set<string>()
  for (const tag of tags) addTag(tag, words, [])
  await holdWords(db, words)
}

const TAGS = 20_000

/** A tag stands in the dictionary as its lexeme, unless that has only its hash. */
function addTag(tag: string, words: Set<string>, tags: string[]): void {
  tags.push(tag)
  const lexeme = tagLexeme(tag)
  if (foldCase(tag).startsWith(lexeme.slice(2))) words.add(lexeme)
}

const NONE: readonly string[] = []

const tagsOf = ({ tags }: Item): readonly string[] =>
  Array.isArray(tags) && tags.length > 0 ? tags.map((tag) => String(tag).trim()) : NONE

const documentOf = (data: Item, meta: Item, tags: readonly string[]): SearchDocument =>
  searchDocument({
    data,
    alias: typeof meta.alias === 'string' ? meta.alias : undefined,
    tags,
    taxonomies: [],
    attacks: [],
  })
