/** A platform record. */
export type Json = Readonly<Record<string, unknown>>

/** Returns a non-empty text; otherwise undefined. */
export const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined

/** Returns the items of a list; empty if the value is not a list. */
export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Returns a record; undefined if the value is not one. */
export const recordIn = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined

/** Returns the records of a list. */
export const recordsIn = (value: unknown): readonly Json[] =>
  listIn(value)
    .map(recordIn)
    .filter((record) => record !== undefined)

/** Returns a word, which is plain or in a vocabulary record. */
export const wordIn = (value: unknown): string | undefined => textIn(value) ?? textIn(recordIn(value)?.value)

/** Returns the words of a list. */
export const wordsIn = (value: unknown): readonly string[] => listIn(value).flatMap((item) => wordIn(item) ?? [])

/** Reads the fields of an entity's data, and tracks which of them have not been read. */
export interface Fields {
  get(name: string): unknown
  unread(): string[]
}

/** Fields that other parts express, or that have no meaning outside the platform. */
const IGNORED_FIELDS = new Set(['id', 'name', 'spec_version', 'title', 'type'])

/** Starts reading the data of an entity. */
export function fieldsOf(data: Json): Fields {
  const read = new Set(IGNORED_FIELDS)
  return {
    get(name) {
      read.add(name)
      return Object.hasOwn(data, name) ? data[name] : undefined
    },
    unread: () => Object.keys(data).filter((name) => !read.has(name) && !isEmpty(data[name])),
  }
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
