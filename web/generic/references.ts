import type { CollectionModel } from './collections.ts'
import type { FieldModel } from './fields.ts'

/** The object that an API URL points to. */
export interface Target {
  readonly model: CollectionModel
  readonly id: string
  /** Attributes of the link, such as `role: admin`. */
  readonly attributes: Readonly<Record<string, string>>
}

const BASE = '/api/v2/'

/** Finds the object that an API URL points to. */
export function targetOf(url: string, collections: ReadonlyMap<string, CollectionModel>): Target | undefined {
  const { pathname, searchParams } = new URL(url, 'http://corvus.invalid')
  if (!pathname.startsWith(BASE)) return undefined
  const end = pathname.lastIndexOf('/')
  const path = pathname.slice(BASE.length, end)
  const model = [...collections.values()].find((each) => each.path === path)
  return model && { model, id: pathname.slice(end + 1), attributes: Object.fromEntries(searchParams) }
}

/** The URL of an object without the attributes of the link. */
export const withoutAttributes = (url: string): string => url.split('?')[0] ?? ''

/** The same link with another attribute. */
export const withAttribute = (url: string, name: string, value: string): string =>
  `${withoutAttributes(url)}?${new URLSearchParams({ [name]: value })}`

/** The fields that may hold the name of an object, best first. */
const NAMES = ['name', 'title', 'username', 'display_value', 'filename', 'display_name', 'text'] as const

/** Fields of nested documents that name objects which have no name themselves. */
const INNER_NAMES = [
  ['meta', 'title'],
  ['data', 'title'],
  ['data', 'key'],
] as const

/** The name of an object; undefined if it has none. */
export function nameOf(object: Readonly<Record<string, unknown>>): string | undefined {
  const own = NAMES.map((name) => object[name]).find(isName)
  if (own) return own
  return INNER_NAMES.map(([outer, inner]) => (object[outer] as Record<string, unknown> | undefined)?.[inner]).find(
    isName,
  )
}

const isName = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** The attributes to request for the names of objects. */
export function nameAttributes(shown: readonly FieldModel[]): string {
  const has = (name: string) => shown.some((field) => field.name === name)
  const inner = INNER_NAMES.filter(([outer]) => has(outer)).map((path) => path.join('.'))
  return ['id', ...NAMES.filter(has), ...inner].join(',')
}

/** The field that holds the name of a collection's objects, for sorting. */
export const nameField = (shown: readonly FieldModel[]): string | undefined =>
  NAMES.find((name) => shown.some((field) => field.name === name && field.kind !== 'texts'))
