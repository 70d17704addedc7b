import { isRecord } from '../domain/record.ts'
import { leafLexemes } from './leaves.ts'
import { LexemeVectors } from './lexeme-vector.ts'
import {
  ALIAS_CODE,
  ALIAS_EXISTS_LEXEME,
  attackLexeme,
  existsLexeme,
  TEXT_CODES,
  type TextCode,
  tagLexeme,
  taxonomyLexeme,
} from './lexemes.ts'

/** What is searched of an entity. */
export interface Searchable {
  readonly data: Record<string, unknown>
  readonly alias?: string | undefined
  readonly tags: readonly string[]
  readonly taxonomies: readonly number[]
  readonly attacks: readonly string[]
}

/** What the search knows of an entity. */
export interface SearchDocument {
  /** The tsvector in PostgreSQL's binary format. */
  readonly vector: Buffer
  /** The distinct words of all text fields, in lower case. */
  readonly words: readonly string[]
}

// What comes later in a text is not searched; the vector is usually full long before.
const TEXT_LENGTH = 1_000_000

// Positions between two names, so that no phrase runs from one into the next.
const NAME_GAP = 100

const TEXT_FIELDS = Object.entries(TEXT_CODES).map(([path, code]) => ({ path, code, exists: existsLexeme(path) }))

/** Makes the search documents of a batch of entities; of one that is too large the rest is left out. */
export class SearchDocuments {
  readonly #vectors = new LexemeVectors()

  /** The tsvector of an entity in PostgreSQL's binary format. */
  vectorOf({ data, alias, tags, taxonomies, attacks }: Searchable): Buffer {
    const vectors = this.#vectors
    addTexts(vectors, ALIAS_CODE, ALIAS_EXISTS_LEXEME, textsOf(alias))
    for (const { path, code, exists } of TEXT_FIELDS) addTexts(vectors, code, exists, textsOf(data[path]))
    for (const tag of tags) if (tag !== '') vectors.add(tagLexeme(tag))
    for (const id of taxonomies) vectors.add(taxonomyLexeme(id))
    for (const id of attacks) vectors.add(attackLexeme(id))
    for (const lexeme of leafLexemes(data)) vectors.add(lexeme)
    return vectors.take()
  }

  /** The distinct words of all text fields so far, in lower case. */
  words(): MapIterator<string> {
    return this.#vectors.words()
  }
}

/** Makes the search document of a single entity. */
export function searchDocument(searchable: Searchable): SearchDocument {
  const documents = new SearchDocuments()
  return { vector: documents.vectorOf(searchable), words: [...documents.words()] }
}

/** The texts of a field: a string, a list of them, or records with a value, as names are. */
function textsOf(field: unknown): readonly string[] {
  if (typeof field === 'string') return field === '' ? [] : [field]
  if (!Array.isArray(field) && !isRecord(field)) return []
  return [field]
    .flat(100)
    .map((item) => (isRecord(item) ? item.value : item))
    .filter((text) => typeof text === 'string' && text !== '')
}

function addTexts(vectors: LexemeVectors, code: TextCode, exists: string, texts: readonly string[]): void {
  let position = 0
  for (const text of texts) {
    position = vectors.addText(code, text.slice(0, TEXT_LENGTH), position === 0 ? 0 : position + NAME_GAP)
  }
  if (texts.length > 0) vectors.add(exists)
}
