/** A record of the platform. */
export type Json = Readonly<Record<string, unknown>>

/** A text that says something. */
export const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined

/** The items of a list; nothing where it is none. */
export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A record; undefined where it is none. */
export const recordIn = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined

/** The records of a list. */
export const recordsIn = (value: unknown): readonly Json[] =>
  listIn(value)
    .map(recordIn)
    .filter((record) => record !== undefined)

/** A word, bare or in a record of the vocabulary. */
export const wordIn = (value: unknown): string | undefined => textIn(value) ?? textIn(recordIn(value)?.value)

/** The words of a list. */
export const wordsIn = (value: unknown): readonly string[] => listIn(value).flatMap((item) => wordIn(item) ?? [])

/** Reads the fields of an entity's data, and knows in the end which of them nobody has asked for. */
export interface Fields {
  get(name: string): unknown
  unread(): string[]
}

/** Fields that are told by others, or say nothing outside the platform. */
const SILENT = new Set(['id', 'name', 'spec_version', 'title', 'type'])

/** Begins to read the data of an entity. */
export function fieldsOf(data: Json): Fields {
  const read = new Set(SILENT)
  return {
    get(name) {
      read.add(name)
      return Object.hasOwn(data, name) ? data[name] : undefined
    },
    unread: () => Object.keys(data).filter((name) => !read.has(name) && !isNothing(data[name])),
  }
}

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
