import { createHash } from 'node:crypto'
import { collections, type IdType } from '../collections.ts'
import { filterOf } from './document.ts'
import { badRequest, notFound } from './errors.ts'
import type { Field } from './field.ts'
import { orderOf } from './ordered.ts'
import { type Id, parseId, toId } from './reference.ts'
import type { Resource } from './resource.ts'
import type { Incoming } from './route.ts'
import type { Storage } from './storage.ts'
import { parseTimestamp } from './timestamp.ts'

export const DEFAULT_LIMIT = 100
export const MAXIMUM_LIMIT = 2000
const DEFAULT_CAP = 10_000
/** Of one list: each is a part of a statement, which grows with the square of the sort. */
export const MOST_SORT_FIELDS = 16
export const MOST_FILTERS = 64
export const MOST_ATTRIBUTES = 500

export type Operator = '=' | '!' | '>' | '>=' | '<' | '<='

/** A path is a field, or a place inside a JSON field: `name`, `data.title`. */
export interface Filter {
  readonly path: string
  readonly operator: Operator
  /** Any of these; null stands for a value that is absent. */
  readonly values: readonly (string | null)[]
}

export interface Sort {
  readonly path: string
  readonly descending: boolean
}

/** A list request, understood: every name in it is a field of the resource. */
export interface ListPlan {
  /** A query in the resource's own language, where it has one. */
  readonly query: string | null
  readonly filters: readonly Filter[]
  readonly sort: readonly Sort[]
  readonly limit: number
  readonly offset: number
  /** Sort-key values of the last row already returned. */
  readonly after: readonly unknown[] | null
  readonly attributes: readonly string[] | null
  readonly countOnly: boolean
  /** Totals are exact up to here; 0 means always. */
  readonly cap: number
  readonly fingerprint: string
  /** When the first page was asked for. */
  readonly at: string
}

type Query = Incoming['query']

/** Reads the query of a list request; every fault in it is named at once. */
export function planList(resource: Resource, query: Query): ListPlan {
  const faults: string[] = []
  const attempt = <T>(fallback: T, read: () => T): T => {
    try {
      return read()
    } catch (error) {
      faults.push((error as Error).message)
      return fallback
    }
  }
  const filtered = Object.keys(query).filter((key) => key.startsWith('filter['))
  const filters = attempt([], () => atMost('filter', MOST_FILTERS, filtered)).flatMap((key) =>
    attempt([], () => readFilters(resource, key, query[key] ?? [])),
  )
  const terms = (query.sort ?? []).flatMap((text) => text.split(',')).filter(Boolean)
  const sort = attempt([], () => atMost('sort', MOST_SORT_FIELDS, terms)).flatMap((term) =>
    attempt([], () => [readSort(resource, term.trim())]),
  )
  const asked = attempt(null, () => readQuery(resource, query))
  if (asked === null && sort.some(({ path }) => path === SCORE)) faults.push(`sort: '${SCORE}' needs a query.`)
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([resource.collection, asked, filters, sort]))
    .digest('base64url')
  const cursor = attempt(null, () => readCursor(query['page[cursor]']?.at(-1), fingerprint))
  const plan: ListPlan = {
    query: asked,
    filters,
    sort,
    ...attempt({ limit: DEFAULT_LIMIT, offset: 0 }, () => readPage(query)),
    after: cursor?.key ?? null,
    at: cursor?.at ?? new Date().toISOString(),
    attributes: attempt(null, () => readAttributes(query)),
    countOnly: attempt(false, () => readBoolean(query, 'data', true) === false),
    cap: attempt(DEFAULT_CAP, () => readCap(query)),
    fingerprint,
  }
  if (faults.length > 0) throw badRequest(faults)
  return plan
}

function readQuery(resource: Resource, { query: texts = [] }: Query): string | null {
  if (texts.length === 0) return null
  if (!resource.search) throw badRequest(`query: ${resource.collection} cannot be searched by a query.`)
  if (texts.length > 1) throw badRequest('query: there can be one query only; join several by AND.')
  return texts[0]?.trim() ? (texts[0] ?? null) : null
}

/** How much of a list is asked for, where it is no list of a resource. */
export const readPage = (query: Query): { limit: number; offset: number } => ({
  limit: readNumber(query, 'limit', 1, MAXIMUM_LIMIT, DEFAULT_LIMIT),
  offset: readNumber(query, 'offset', 0, 2 ** 31 - 1, 0),
})

/** Writes down where a page ended; good only for the same query and sort. */
export const writeCursor = (plan: ListPlan, key: readonly unknown[]): string =>
  Buffer.from(JSON.stringify([plan.fingerprint.slice(0, 16), plan.at, ...key])).toString('base64url')

function readCursor(cursor: string | undefined, fingerprint: string): { at: string; key: unknown[] } | null {
  if (!cursor) return null
  try {
    const [seen, at, ...key]: unknown[] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const isPlain = key.every((value) => value === null || ['string', 'number', 'boolean'].includes(typeof value))
    const isOurs = seen === fingerprint.slice(0, 16) && typeof at === 'string' && parseTimestamp(at) !== undefined
    if (isOurs && key.length > 0 && isPlain) return { at, key }
  } catch {
    // Not a cursor at all: the same refusal.
  }
  throw badRequest('page[cursor] does not belong to this query and sort.')
}

function readFilters(resource: Resource, key: string, texts: readonly string[]): Filter[] {
  const match = /^filter\[(>=|<=|>|<|!)?(.*)\]$/.exec(key)
  if (!match?.[2]) return []
  const operator = (match[1] ?? '=') as Operator
  const path = match[2]
  const { storage, isNullable } = locate(resource, path)
  const isList = !('type' in storage) || storage.type === 'text[]'
  const isCompared = operator !== '=' && operator !== '!'
  if (isList && isCompared) throw badRequest(`${key}: '${path}' has no order.`)
  const values = texts.map((text) => readValue(key, storage, isNullable, text))
  const order = isCompared ? orderOf(storage) : undefined
  const unknown = order && values.find((value) => value === null || !order.includes(value))
  if (order && unknown !== undefined) refuse(key, String(unknown), `one of ${order.join(', ')}`)
  return [{ path, operator, values }]
}

function readValue(key: string, storage: Storage, isNullable: boolean, text: string): string | null {
  if (text.includes('\u0000')) throw badRequest(`${key}: the NUL character cannot be in a value.`)
  if (storage.kind === 'searched') return storage.read(text) ?? refuse(key, text, storage.form)
  if (text === 'null' && isNullable) return null
  if (storage.kind === 'computed' && storage.read) return storage.read(text)
  if (storage.kind === 'ref' || storage.kind === 'refs') return asId(key, toId(storage.to, text), text)
  if (storage.kind === 'computed' && storage.to) return asId(key, toId(storage.to, text), text)
  if (storage.type === 'uuid') return asId(key, parseId('uuid', text), text)
  if (storage.type === 'timestamptz') return parseTimestamp(text) ?? refuse(key, text, 'an ISO 8601 time')
  if (storage.type === 'boolean') return /^(true|false)$/i.test(text) ? text : refuse(key, text, 'true or false')
  if (storage.type === 'integer') {
    const isInteger = /^-?\d{1,10}$/.test(text) && Math.abs(Number(text)) < 2 ** 31
    return isInteger ? text : refuse(key, text, 'an integer')
  }
  if (storage.type === 'real' || storage.type === 'double precision')
    return Number.isFinite(Number(text)) && text.trim() ? text : refuse(key, text, 'a number')
  return text
}

const asId = (key: string, id: string | number | undefined, text: string): string =>
  id === undefined ? refuse(key, text, 'an id or URL') : String(id)

function refuse(key: string, text: string, form: string): never {
  throw badRequest(`${key}: '${text.slice(0, 80)}' is not ${form}.`)
}

/** Sorts by how well rows fit the query. */
export const SCORE = '_score'

function readSort(resource: Resource, term: string): Sort {
  const descending = term.startsWith('-')
  const path = descending ? term.slice(1) : term
  if (path === SCORE && resource.search) return { path, descending }
  const { storage } = locate(resource, path, true)
  const isList = !('type' in storage) || ['text[]', 'jsonb'].includes(storage.type)
  if (isList) throw badRequest(`sort: '${path}' has no order.`)
  return { path, descending }
}

/** Where a path points to; a path that is none is refused with the ones that are. */
export function locate(
  resource: Resource,
  path: string,
  isSorted = false,
): { storage: Storage; isNullable: boolean; inner: string[] } {
  const [name = '', ...inner] = path.split('.')
  if (path === 'id') return { storage: idStorage(resource), isNullable: false, inner: [] }
  const place = placeAt(resource, path)
  const { sorted = undefined } = place?.storage.kind === 'searched' ? place.storage : {}
  if (isSorted && sorted) return { storage: sorted, isNullable: false, inner: [] }
  // A place that is only searched may be a field that has an order.
  const isPlace = place && !(isSorted && place.storage.kind === 'searched')
  if (isPlace) return { storage: place.storage, isNullable: place.isNullable, inner: [] }
  const props = Object.hasOwn(resource.fields, name) ? resource.fields[name]?.props : undefined
  const isReadable = props && (props.access === 'read-write' || props.access === 'read-only')
  if (!isReadable || (inner.length > 0 && !isJson(props.storage))) {
    throw badRequest(`'${path}' is not a field of ${resource.collection}; these are: ${names(resource).join(', ')}.`)
  }
  if (inner.length > 0) return { storage: insideOf(props.storage), isNullable: true, inner }
  return { storage: props.storage, isNullable: props.isNullable, inner }
}

/** Where filters find a path that is more than a field: a place of the resource, or a member of a document outside of it. */
export function placeAt(
  { places = {}, fields }: Resource,
  path: string,
): Pick<Field['props'], 'storage' | 'isNullable'> | undefined {
  if (Object.hasOwn(places, path)) return places[path]?.props
  const [name = '', member = '', ...rest] = path.split('.')
  const storage = Object.hasOwn(fields, name) ? fields[name]?.props.storage : undefined
  if (storage?.kind !== 'document' || rest.length > 0 || !Object.hasOwn(storage.members, member)) return undefined
  const found = storage.members[member] && filterOf(storage.members[member])
  return found && { storage: found, isNullable: true }
}

/** The paths of all members of documents that are not in them. */
const memberPaths = (fields: Resource['fields']): string[] =>
  Object.entries(fields).flatMap(
    ([
      name,
      {
        props: { storage },
      },
    ]) =>
      storage.kind === 'document'
        ? Object.entries(storage.members).flatMap(([member, field]) => (filterOf(field) ? [`${name}.${member}`] : []))
        : [],
  )

/** A place inside a document is seen by who sees the document. */
const insideOf = (storage: Storage): Storage => ({
  kind: 'column',
  type: 'text',
  ...(storage.kind === 'column' && storage.restricted && { restricted: storage.restricted }),
})

const idStorage = ({ collection }: Resource): Storage => ({
  kind: 'column',
  type: collections[collection].id as IdType,
})

const isJson = (storage: Storage): boolean =>
  storage.kind === 'document' || (storage.kind === 'column' && storage.type === 'jsonb')

const names = ({ fields, places = {} }: Resource): string[] => {
  const readable = Object.keys(fields).filter((name) =>
    ['read-write', 'read-only'].includes(fields[name]?.props.access ?? ''),
  )
  return ['id', ...new Set([...readable, ...Object.keys(places), ...memberPaths(fields)])]
}

/** The attributes that an answer is cut down to; null for all. */
export function readAttributes(query: Query): readonly string[] | null {
  const names = query.attributes?.flatMap((text) => text.split(',')).map((name) => name.trim())
  return names ? atMost('attributes', MOST_ATTRIBUTES, names) : null
}

function atMost(name: string, most: number, list: readonly string[]): readonly string[] {
  if (list.length > most) throw badRequest(`${name}: there can be at most ${most}, not ${list.length}.`)
  return list
}

/**
 * Up to which total a list counts exactly; 0 for any. It is never less than the default: an estimate of a few rows depends on how
 * many others there are that the caller may not see.
 */
function readCap(query: Query): number {
  const asked = readNumber(query, 'meta[total_resources_aggregated]', 0, 2 ** 31 - 1, DEFAULT_CAP)
  return asked === 0 ? 0 : Math.max(asked, DEFAULT_CAP)
}

function readNumber(query: Query, name: string, min: number, max: number, fallback: number): number {
  const text = query[name]?.at(-1)
  if (text === undefined) return fallback
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= min && value <= max))
    throw badRequest(`${name} must be an integer from ${min} to ${max}, not '${text.slice(0, 40)}'.`)
  return value
}

function readBoolean(query: Query, name: string, fallback: boolean): boolean {
  const text = query[name]?.at(-1)?.toLowerCase()
  if (text === undefined) return fallback
  if (['true', '1'].includes(text)) return true
  if (['false', '0'].includes(text)) return false
  throw badRequest(`${name} must be true or false, not '${text.slice(0, 40)}'.`)
}

/** The id in a path. One of the wrong form names nothing: a 404 like any other unknown id. */
export function readId(resource: Resource, text: string): Id {
  const id = parseId(collections[resource.collection].id, text)
  if (id === undefined) throw notFound(text)
  return id
}
