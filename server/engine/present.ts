import type { AnyRow, Context, Item } from './context.ts'
import type { Resource } from './definition.ts'
import { PASS_THROUGH } from './field-class.ts'
import { type Id, toUrl } from './reference.ts'
import type { Members } from './storage.ts'

/** A row in the form of responses: ids become URLs, secrets the pass-through token. */
export function present(ctx: Context, resource: Resource, row: AnyRow): Item {
  const shown: Item = { id: row.id }
  for (const { name, show } of fieldsOf(resource)) {
    const value = row[name]
    if (value !== undefined) shown[name] = show ? show(ctx, value) : value
  }
  return shown
}

interface Presented {
  readonly name: string
  /** Absent if the value is sent unmodified. */
  readonly show?: (ctx: Context, value: unknown) => unknown
}

const presented = new WeakMap<Resource, readonly Presented[]>()

function fieldsOf(resource: Resource): readonly Presented[] {
  const known = presented.get(resource)
  if (known) return known
  const fields = Object.entries(resource.fields).flatMap(([name, { props }]): Presented[] => {
    const { access, storage, isPath, show } = props
    if (access === 'write-only' || access === 'hidden') return []
    if (access === 'secret') return [{ name, show: (_, value) => (value ? PASS_THROUGH : null) }]
    if (show) return [{ name, show: ({ baseUrl }, value) => show(baseUrl, value) }]
    if (storage.kind === 'refs') {
      return [{ name, show: (ctx, value) => presentLinks(ctx, resource, name, value as Linked[]) }]
    }
    if (storage.kind === 'document') {
      const shown = membersOf(storage.members)
      return [{ name, show: (ctx, value) => presentDocument(ctx, shown, value as Item) }]
    }
    if (isPath) return [{ name, show: ({ baseUrl }, value) => addressOf(baseUrl, value) }]
    const to = 'to' in storage ? storage.to : undefined
    if (!to) return [{ name }]
    return [{ name, show: (ctx, value) => (value === null ? null : toUrl(ctx.baseUrl, to, value as Id)) }]
  })
  presented.set(resource, fields)
  return fields
}

/** The members of a document whose values in responses differ from the stored ones. */
const membersOf = (members: Members): Presented[] =>
  Object.entries(members).flatMap(
    ([
      name,
      {
        props: { storage, show },
      },
    ]): Presented[] => {
      if (show) return [{ name, show: ({ baseUrl }, value) => show(baseUrl, value) }]
      if (storage.kind !== 'refs') return []
      return [{ name, show: ({ baseUrl }, ids) => (ids as Id[]).map((id) => toUrl(baseUrl, storage.to, id)) }]
    },
  )

/** A document in the form of responses, with its references as URLs. */
export function presentDocument(ctx: Pick<Context, 'baseUrl'>, shown: readonly Presented[], document: Item): Item {
  const answered = { ...document }
  for (const { name, show } of shown)
    if (answered[name] !== undefined && show) answered[name] = show(ctx as Context, answered[name])
  return answered
}

function addressOf(baseUrl: string, path: unknown): unknown {
  if (typeof path === 'string') return `${baseUrl}${path}`
  if (typeof path !== 'object' || path === null) return path
  return Object.fromEntries(Object.entries(path).map(([name, each]) => [name, addressOf(baseUrl, each)]))
}

/** A link as it is read from the database: the id, with the attribute of the link if it has one. */
export type Linked = Id | readonly [id: Id, attribute: string]

/** Links as URLs, with their attribute in the query. */
export function presentLinks(ctx: Context, resource: Resource, field: string, links: readonly Linked[]): string[] {
  const storage = resource.fields[field]?.props.storage
  if (storage?.kind !== 'refs') return []
  if (!storage.attribute) return links.map((each) => toUrl(ctx.baseUrl, storage.to, idOf(each)))
  const { name: attribute } = storage.attribute
  return links.map((each) => {
    const url = toUrl(ctx.baseUrl, storage.to, idOf(each))
    return Array.isArray(each) && each[1] ? `${url}?${attribute}=${each[1]}` : url
  })
}

const idOf = (each: Linked): Id => (typeof each === 'object' ? each[0] : each)

/** Reduces an object to the requested attributes; unknown names are ignored. */
export function project(record: Item, attributes: readonly string[] | null): Item {
  if (!attributes) return record
  const result: Item = {}
  for (const path of attributes) copyPath(record, result, path.split('.'))
  return result
}

function copyPath(from: Item, to: Item, [head = '', ...rest]: string[]): void {
  if (head === '__proto__' || !Object.hasOwn(from, head)) return
  const value = from[head]
  if (rest.length === 0 || typeof value !== 'object' || value === null) {
    if (rest.length === 0) to[head] = value
    return
  }
  if (Array.isArray(value)) {
    const seen = Array.isArray(to[head]) ? to[head] : value.map(() => ({}))
    for (const [i, item] of value.entries()) {
      if (typeof item === 'object' && item !== null) copyPath(item, seen[i], rest)
    }
    to[head] = seen
    return
  }
  const inner = typeof to[head] === 'object' ? to[head] : {}
  to[head] = inner
  copyPath(value as Item, inner as Item, rest)
}
