import { type Collection, collections, type IdType, spellings } from '../collections.ts'

export type Id = string | number

/** A reference as it is stored: the id of the other object, and the attribute that rides on the link. */
export interface Link {
  readonly id: Id
  readonly attribute?: string
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Reads an id of the given type; undefined when the text is none. */
export function parseId(type: IdType, text: string): Id | undefined {
  if (type === 'uuid') return UUID.test(text.toLowerCase()) ? text.toLowerCase() : undefined
  return /^\d{1,10}$/.test(text) && Number(text) < 2 ** 31 ? Number(text) : undefined
}

/** The URL that fetches an object; only the attribute of a link rides in the query. */
export function toUrl(baseUrl: string, to: Collection, id: Id): string {
  const known = addresses.get(to)
  if (known?.baseUrl === baseUrl) return known.before + id
  // In one piece: what is put together from four is copied once more when it is written.
  const before = Buffer.from(`${baseUrl}/api/v2/${collections[to].path}/`).toString()
  addresses.set(to, { baseUrl, before })
  return before + id
}

/** What the URLs of a collection begin with, for whoever asked last: many are made for one answer. */
const addresses = new Map<Collection, { readonly baseUrl: string; readonly before: string }>()

/** Reads an id out of an id, a URL or a path of the collection; undefined for anything else. */
export function toId(to: Collection, value: unknown): Id | undefined {
  const text = String(value).split('?')[0] ?? ''
  const { id: type } = collections[to]
  const plain = parseId(type, text)
  if (plain !== undefined) return plain
  const base = /(?:^|\/)(?:api\/v\d+|private)\//.exec(text)
  if (!base) return undefined
  const path = text.slice(base.index + base[0].length).replace(/\/$/, '')
  const cut = path.lastIndexOf('/')
  return cut > 0 && spellings(to).includes(path.slice(0, cut)) ? parseId(type, path.slice(cut + 1)) : undefined
}

/** The value that a reference like `…/users/9?role=admin` gives to an attribute of its link. */
export function attributeOf(value: unknown, name: string): string | undefined {
  const query = String(value).split('?')[1]
  return query === undefined ? undefined : (new URLSearchParams(query).get(name) ?? undefined)
}
