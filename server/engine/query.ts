import { createHash } from 'node:crypto'
import { collections, type IdType } from '../collections.ts'
import { parseTimestamp } from '../domain/timestamp.ts'
import type { Resource } from './definition.ts'
import { filterOf } from './document.ts'
import { badRequest, notFound } from './errors.ts'
import type { Field } from './field-class.ts'
import type { Filter, ListPlan, Operator, Sort } from './list-plan.ts'
import { orderOf } from './ordered.ts'
import { type Id, parseId, toId } from './reference.ts'
import type { Incoming } from './route.ts'
import type { Storage } from './storage.ts'

export const DEFAULT_LIMIT = 100
export const MAXIMUM_LIMIT = 2000
const DEFAULT_CAP = 10_000
/** Limits of one list. Each filter and sort is a part of the statement, which grows with the square of the sort. */
export const MAX_SORT_FIELDS = 16
export const MAX_FILTERS = 64
export const MAX_ATTRIBUTES = 500

type Query = Incoming['query']

/** Parses the query of a list request and reports all errors at once. */
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
  const filters = attempt([], () => atMost('filter', MAX_FILTERS, filtered)).flatMap((key) =>
    attempt([], () => readFilters(resource, key, query[key] ?? [])),
  )
  const terms = (query.sort ?? []).flatMap((text) => text.split(',')).filter(Boolean)
  const sort = attempt([], () => atMost('sort', MAX_SORT_FIELDS, terms)).flatMap((term) =>
    attempt([], () => [readSort(resource, term.trim())]),
  )
  const asked = attempt(null, () => readQuery(resource, query))
  if (asked === null && sort.some(({ path }) => path === SCORE)) faults.push(`sort: '${SCORE}' needs a query.`)
  const reduction = attempt(null, () => readReduction(resource, query))
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([resource.collection, asked, filters, sort, ...(reduction === null ? [] : [reduction])]))
    .digest('base64url')
  const cursor = attempt(null, () => readCursor(query['page[cursor]']?.at(-1), fingerprint))
  const plan: ListPlan = {
    query: asked,
    filters,
    reduction,
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
  if (!resource.search?.query) throw badRequest(`query: ${resource.collection} cannot be searched by a query.`)
  if (texts.length > 1) throw badRequest('query: there can be one query only; combine several with AND.')
  return texts[0]?.trim() ? (texts[0] ?? null) : null
}

function readReduction({ search: { reduction } = {} }: Resource, query: Query): string | null {
  const value = reduction && query[reduction.parameter]?.at(-1)
  if (value === undefined || value === reduction?.values[0]) return null
  if (reduction?.values.includes(value)) return value
  throw badRequest(`${reduction?.parameter}: '${value.slice(0, 80)}' is not one of ${reduction?.values.join(', ')}.`)
}

/** Parses the paging of a list that is not a list of a resource. */
export const readPage = (query: Query): { limit: number; offset: number } => ({
  limit: readNumber(query, 'limit', 1, MAXIMUM_LIMIT, DEFAULT_LIMIT),
  offset: readNumber(query, 'offset', 0, 2 ** 31 - 1, 0),
})

/** Encodes the end of a page, for the same query and sort only. */
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
    // Refused below like any other invalid cursor.
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

/** The path that sorts by how well rows match the query. */
export const SCORE = '_score'

function readSort(resource: Resource, term: string): Sort {
  const descending = term.startsWith('-')
  const path = descending ? term.slice(1) : term
  if (path === SCORE && resource.search?.query) return { path, descending }
  const { storage } = locate(resource, path, true)
  const isList = !('type' in storage) || ['text[]', 'jsonb'].includes(storage.type)
  if (isList) throw badRequest(`sort: '${path}' has no order.`)
  return { path, descending }
}

/** Finds the storage of a path. An error for an unknown path lists the valid ones. */
export function locate(
  resource: Resource,
  path: string,
  isSorted = false,
): { storage: Storage; isNullable: boolean; inner: string[] } {
  const [name = '', ...inner] = path.split('.')
  if (path === 'id') return { storage: idStorage(resource), isNullable: false, inner: [] }
  const extra = extraFilterAt(resource, path)
  const { sorted = undefined } = extra?.storage.kind === 'searched' ? extra.storage : {}
  if (isSorted && sorted) return { storage: sorted, isNullable: false, inner: [] }
  // A filter without an order may have the name of a field that has one.
  const isExtra = extra && !(isSorted && extra.storage.kind === 'searched')
  if (isExtra) return { storage: extra.storage, isNullable: extra.isNullable, inner: [] }
  const props = Object.hasOwn(resource.fields, name) ? resource.fields[name]?.props : undefined
  const isReadable = props && (props.access === 'read-write' || props.access === 'read-only')
  if (!isReadable || (inner.length > 0 && !isJson(props.storage))) {
    throw badRequest(`'${path}' is not a field of ${resource.collection}; these are: ${names(resource).join(', ')}.`)
  }
  if (inner.length > 0) return { storage: insideOf(props.storage), isNullable: true, inner }
  return { storage: props.storage, isNullable: props.isNullable, inner }
}

/** What a path other than a field filters by: a filter of the resource, or a member that is stored outside of its document. */
export function extraFilterAt(
  { search: { filters = {} } = {}, fields }: Resource,
  path: string,
): Pick<Field['props'], 'storage' | 'isNullable'> | undefined {
  if (Object.hasOwn(filters, path)) return filters[path]?.props
  const [name = '', member = '', ...rest] = path.split('.')
  const storage = Object.hasOwn(fields, name) ? fields[name]?.props.storage : undefined
  if (storage?.kind !== 'document' || rest.length > 0 || !Object.hasOwn(storage.members, member)) return undefined
  const found = storage.members[member] && filterOf(storage.members[member])
  return found && { storage: found, isNullable: true }
}

/** The paths of all members that are stored outside of their documents. */
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

/** A path inside a document has the visibility of the document. */
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

const names = ({ fields, search: { filters = {} } = {} }: Resource): string[] => {
  const readable = Object.keys(fields).filter((name) =>
    ['read-write', 'read-only'].includes(fields[name]?.props.access ?? ''),
  )
  return ['id', ...new Set([...readable, ...Object.keys(filters), ...memberPaths(fields)])]
}

/** Parses the attributes that responses are reduced to; null for all. */
export function readAttributes(query: Query): readonly string[] | null {
  const names = query.attributes?.flatMap((text) => text.split(',')).map((name) => name.trim())
  return names ? atMost('attributes', MAX_ATTRIBUTES, names) : null
}

function atMost(name: string, most: number, list: readonly string[]): readonly string[] {
  if (list.length > most) throw badRequest(`${name}: there can be at most ${most}, not ${list.length}.`)
  return list
}

/**
 * The total up to which a list counts exactly; 0 for any. It is never below the default: an estimate of a few rows depends on how
 * many other rows exist that the caller may not see.
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

/** Parses the id in a path. Throws a 404 for an invalid id, as for an unknown one. */
export function readId(resource: Pick<Resource, 'collection'>, text: string): Id {
  const id = parseId(collections[resource.collection].id, text)
  if (id === undefined) throw notFound(text)
  return id
}
