import { splitWords } from '../../server/search/words.ts'

/** A single value. Nulls and empty strings do not count. */
export type Leaf = string | number | boolean

/** An entity as a query sees it: the values of each field. */
export interface Searchable {
  readonly id: string
  /** The values of each field by its name, except texts. */
  readonly leaves: ReadonlyMap<string, readonly Leaf[]>
  /** The texts of each text field, each as its words. */
  readonly texts: ReadonlyMap<string, readonly (readonly string[])[]>
}

/** An entity as the API returns it. */
export interface Answered {
  readonly id: string
  readonly data: Record<string, unknown>
  readonly meta: Record<string, unknown>
  readonly sources: readonly string[]
  readonly observables: readonly string[]
  readonly created_at: string
  readonly last_updated_at: string
}

export interface Observable {
  readonly type: string
  readonly value: string
  readonly maliciousness: string
}

/** The objects linked with an entity, by the references in the entity. */
export interface Surroundings {
  readonly observables: ReadonlyMap<string, Observable>
  readonly sources: ReadonlyMap<string, string>
  /** The paths of taxonomies, with names joined by slashes. */
  readonly taxonomies: ReadonlyMap<string, string>
}

/** The fields that are searched by words. */
export const TEXT_FIELDS: ReadonlySet<string> = new Set([
  'data.title',
  'data.description',
  'data.short_description',
  'data.names',
  'meta.alias',
  'meta.title',
])

/** Converts an entity as the API returns it, and its linked objects, to what is searched. */
export function searchableOf(entity: Answered, { observables, sources, taxonomies }: Surroundings): Searchable {
  const { id, created_at, last_updated_at } = entity
  const { extracts: _extracts, attachments: _attachments, ...data } = entity.data
  const references = listOf(entity.meta.taxonomies)
  const meta = {
    ...entity.meta,
    attacks: listOf(entity.meta.attacks).map(lastPart),
    taxonomies: references.map((reference) => Number(lastPart(reference))),
    taxonomy_paths: references.map((reference) => found(taxonomies, reference)),
  }
  const extracts = entity.observables.map((reference) => {
    const { type, value, maliciousness } = found(observables, reference)
    return { kind: type, value, meta: { maliciousness, classification: classificationOf(maliciousness) } }
  })
  const names = entity.sources.map((reference) => ({ name: found(sources, reference) }))
  return searchableFrom(id, { data, meta, created_at, last_updated_at, extracts, sources: names })
}

/** Converts a document to what is searched; its field names may be whole paths. */
export function searchableFrom(id: string, document: Record<string, unknown>): Searchable {
  const leaves = new Map<string, Leaf[]>()
  const texts = new Map<string, string[][]>()
  const add = (path: string, leaf: Leaf): void => {
    const field = path === 'data.names.value' ? 'data.names' : path
    if (typeof leaf === 'string' && TEXT_FIELDS.has(field)) append(texts, field, splitWords(leaf))
    else append(leaves, path, leaf)
    const alias = ALIASES[path]
    if (alias !== undefined) append(leaves, alias, leaf)
  }
  add('id', id)
  for (const [key, value] of Object.entries(document)) walk(value, key, add)
  return { id, leaves, texts }
}

/** Fields that have a second name. */
const ALIASES: Readonly<Record<string, string>> = { 'data.type': 'type', 'meta.tags': 'tags' }

function walk(value: unknown, path: string, add: (path: string, leaf: Leaf) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) walk(item, path, add)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) walk(inner, `${path}.${key}`, add)
  } else if (typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value !== '')) {
    add(path, value)
  }
}

function append<T>(lists: Map<string, T[]>, key: string, item: T): void {
  lists.set(key, [...(lists.get(key) ?? []), item])
}

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

const lastPart = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1)

/** An unresolved reference is a mistake in the test, not a difference. */
function found<T>(map: ReadonlyMap<string, T>, reference: string): T {
  const value = map.get(reference)
  if (value === undefined) throw new Error(`Nobody knows ${reference}.`)
  return value
}

function classificationOf(maliciousness: string): string {
  if (maliciousness === 'safe') return 'good'
  return ['low', 'medium', 'high'].includes(maliciousness) ? 'bad' : 'unknown'
}
