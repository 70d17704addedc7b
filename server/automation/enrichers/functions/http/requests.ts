import type { SourceRequest } from '../../function.ts'
import { fillTemplate, type Template, type Values } from './templates.ts'

/** A value that cannot be sent where the definition wants it; the message says why. */
export class Unsendable extends Error {}

/** JSON whose texts are templates. */
export type JsonTemplate =
  | { readonly text: Template }
  | { readonly plain: number | boolean | null }
  | { readonly list: readonly JsonTemplate[] }
  | { readonly members: readonly (readonly [string, JsonTemplate])[] }

type Fields = Readonly<Record<string, Template>>

/** How to ask a service about an observable. */
export interface RequestTemplate {
  readonly method: 'GET' | 'POST'
  readonly path: Template
  readonly query: Fields
  readonly headers: Fields
  readonly basic_auth?: { readonly user: Template; readonly password: Template } | undefined
  readonly json?: JsonTemplate | undefined
  readonly form?: Fields | undefined
}

/** Escapes for a segment of a path, a query and a form: letters, digits and `-._~` remain. */
const percent = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

const plain = (text: string): string => text

/** Headers have one line of ASCII: anything else could begin another header. */
function headerValue(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text
  throw new Unsendable('it has characters that a header cannot contain')
}

/**
 * Makes a request of a template. Values are escaped for their position, and the address is checked afterwards: they can change neither
 * the server, nor the part of the path before them, nor the names of headers. Throws `Unsendable`.
 */
export function makeRequest(template: RequestTemplate, base: string, values: Values): SourceRequest {
  const url = addressOf(template, base, values)
  const { body, type } = bodyOf(template, values)
  const headers: Record<string, string> = { accept: 'application/json' }
  for (const [name, value] of Object.entries(template.headers)) {
    const filled = fillTemplate(value, values, headerValue)
    if (filled !== undefined) headers[name.toLowerCase()] = headerValue(filled)
  }
  const { basic_auth: own } = template
  if (own) headers.authorization = basic(own.user, own.password, values)
  if (type !== undefined) headers['content-type'] = type
  return { method: template.method, url, headers, ...(body !== undefined && { body }) }
}

function basic(user: Template, password: Template, values: Values): string {
  const credentials = `${fillTemplate(user, values, plain) ?? ''}:${fillTemplate(password, values, plain) ?? ''}`
  return `Basic ${Buffer.from(credentials).toString('base64')}`
}

function addressOf({ path: template, query }: RequestTemplate, base: string, values: Values): string {
  const path = fillTemplate(template, values, percent)
  if (path === undefined) throw new Unsendable('a value that its address needs is absent')
  if (path.split('/').some(isDots)) throw new Unsendable('it would change the path of the address')
  const fields = fieldsOf(query, values)
  const url = `${base}${path}${fields === '' ? '' : `?${fields}`}`
  if (!isBelow(url, `${base}${typeof template[0] === 'string' ? template[0] : '/'}`)) {
    throw new Unsendable('it would change the address')
  }
  return url
}

/** Whether an address is of the same server as another, and its path begins with the path of that. */
function isBelow(address: string, start: string): boolean {
  const [read, fixed] = [URL.parse(address), URL.parse(start)]
  if (!read || !fixed) return false
  return (
    read.origin === fixed.origin &&
    `${read.username}${read.password}` === '' &&
    read.pathname.startsWith(fixed.pathname)
  )
}

/** Browsers and servers take such a segment for the folder above, also when it is escaped. */
const isDots = (segment: string): boolean => /^(\.|%2e){1,2}$/i.test(segment)

const fieldsOf = (fields: Fields, values: Values): string =>
  Object.entries(fields)
    .flatMap(([name, template]) => {
      const value = fillTemplate(
        template.map((part) => (typeof part === 'string' ? percent(part) : part)),
        values,
        percent,
      )
      return value === undefined ? [] : [`${percent(name)}=${value}`]
    })
    .join('&')

function bodyOf({ json, form }: RequestTemplate, values: Values): { body?: string; type?: string } {
  if (form) return { body: fieldsOf(form, values), type: 'application/x-www-form-urlencoded' }
  return json ? { body: JSON.stringify(jsonOf(json, values)), type: 'application/json' } : {}
}

function jsonOf(template: JsonTemplate, values: Values): unknown {
  if ('text' in template) return fillTemplate(template.text, values, plain)
  if ('plain' in template) return template.plain
  if ('list' in template) return template.list.map((each) => jsonOf(each, values)).filter((each) => each !== undefined)
  return Object.fromEntries(template.members.map(([name, each]) => [name, jsonOf(each, values)]))
}
