import type { CollectionModel } from './collections.ts'
import type { FieldModel } from './fields.ts'

/** What a URL of the API leads to. */
export interface Target {
  readonly model: CollectionModel
  readonly id: string
  /** What the link itself carries, such as `role: admin`. */
  readonly attributes: Readonly<Record<string, string>>
}

const BASE = '/api/v2/'

/** Finds the object that a URL of the API leads to. */
export function targetOf(url: string, collections: ReadonlyMap<string, CollectionModel>): Target | undefined {
  const { pathname, searchParams } = new URL(url, 'http://corvus.invalid')
  if (!pathname.startsWith(BASE)) return undefined
  const end = pathname.lastIndexOf('/')
  const path = pathname.slice(BASE.length, end)
  const model = [...collections.values()].find((each) => each.path === path)
  return model && { model, id: pathname.slice(end + 1), attributes: Object.fromEntries(searchParams) }
}

/** The URL of an object without what the link carries. */
export const withoutAttributes = (url: string): string => url.split('?')[0] ?? ''

/** The same link with another attribute. */
export const withAttribute = (url: string, name: string, value: string): string =>
  `${withoutAttributes(url)}?${new URLSearchParams({ [name]: value })}`

/** Where the name of an object may be, the best place first. */
const NAMES = ['name', 'title', 'username', 'display_value', 'filename', 'display_name', 'text'] as const

/** Fields inside documents that name what has no name of its own. */
const INNER_NAMES = [
  ['meta', 'title'],
  ['data', 'title'],
  ['data', 'key'],
] as const

/** What people call an object; nothing where it has no name. */
export function nameOf(object: Readonly<Record<string, unknown>>): string | undefined {
  const own = NAMES.map((name) => object[name]).find(isName)
  if (own) return own
  return INNER_NAMES.map(([outer, inner]) => (object[outer] as Record<string, unknown> | undefined)?.[inner]).find(
    isName,
  )
}

const isName = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** What has to be asked for to know the names of objects. */
export function nameAttributes(shown: readonly FieldModel[]): string {
  const has = (name: string) => shown.some((field) => field.name === name)
  const inner = INNER_NAMES.filter(([outer]) => has(outer)).map((path) => path.join('.'))
  return ['id', ...NAMES.filter(has), ...inner].join(',')
}

/** The field by whose text the objects of a collection are called, to sort them by. */
export const nameField = (shown: readonly FieldModel[]): string | undefined =>
  NAMES.find((name) => shown.some((field) => field.name === name && field.kind !== 'texts'))
