import { type Collection, collections, type IdType, spellings } from '../collections.ts'
import { textFrom } from '../domain/text-from.ts'

export type Id = string | number

/** A reference as it is stored: the id of the other object, and the attribute of the link. */
export interface Link {
  readonly id: Id
  readonly attribute?: string
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const TEXT = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}$/

/** Parses an id of the given type; undefined if the text is not one. */
export function parseId(type: IdType, text: string): Id | undefined {
  if (type === 'uuid') return UUID.test(text.toLowerCase()) ? text.toLowerCase() : undefined
  if (type === 'text') {
    const plain = text.replaceAll(/%3a/gi, ':')
    return TEXT.test(plain) ? plain : undefined
  }
  return /^\d{1,10}$/.test(text) && Number(text) < 2 ** 31 ? Number(text) : undefined
}

/** The URL of an object. */
export function toUrl(baseUrl: string, to: Collection, id: Id): string {
  const known = addresses.get(to)
  if (known?.baseUrl === baseUrl) return known.before + id
  // Flattened: a concatenation of four strings would be copied again when it is sent.
  const before = Buffer.from(`${baseUrl}/api/v2/${collections[to].path}/`).toString()
  addresses.set(to, { baseUrl, before })
  return before + id
}

/** The beginning of the URLs of each collection for the last base URL: one response has many of them. */
const addresses = new Map<Collection, { readonly baseUrl: string; readonly before: string }>()

/** Parses an id, or a URL or path of the collection; undefined for anything else. */
export function toId(to: Collection, value: unknown): Id | undefined {
  const text = textFrom(value).split('?')[0] ?? ''
  const { id: type } = collections[to]
  const plain = parseId(type, text)
  if (plain !== undefined) return plain
  const base = /(?:^|\/)(?:api\/v\d+|private)\//.exec(text)
  if (!base) return undefined
  const path = text.slice(base.index + base[0].length).replace(/\/$/, '')
  const cut = path.lastIndexOf('/')
  return cut > 0 && spellings(to).includes(path.slice(0, cut)) ? parseId(type, path.slice(cut + 1)) : undefined
}

/** The attribute of a link in a reference such as `…/users/9?role=admin`. */
export function attributeOf(value: unknown, name: string): string | undefined {
  const query = textFrom(value).split('?')[1]
  return query === undefined ? undefined : (new URLSearchParams(query).get(name) ?? undefined)
}
