import type { Item } from '../../engine/context.ts'
import type { Answer, Incoming, Route } from '../../engine/route.ts'

/** Wraps a standard endpoint of enrichers: properties that it does not know are kept in `extra`, and returned at the top level. */
export const keepingExtra = (route: Route): Route => {
  if (!('verb' in route.doc)) return route
  const names = new Set(['id', ...Object.keys(route.doc.resource.fields)])
  return {
    ...route,
    parse: (request) => route.parse(withBody(request, names)),
    answer: (result, ctx, input) => flattened(route.answer(result, ctx, input)),
  }
}

const isObject = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The request as it was sent, except for its body, which is read on demand. */
const withBody = (request: Incoming, names: ReadonlySet<string>): Incoming => ({
  params: request.params,
  query: request.query,
  headers: request.headers,
  address: request.address,
  get body() {
    const { body } = request
    if (Array.isArray(body)) return body.map((item) => collected(item, names))
    if (!isObject(body)) return body
    if (!Object.hasOwn(body, 'data')) return collected(body, names)
    const { data } = body
    return { ...body, data: Array.isArray(data) ? data.map((item) => collected(item, names)) : collected(data, names) }
  },
})

/** Moves unknown properties of an object to its `extra`. */
function collected(item: unknown, names: ReadonlySet<string>): unknown {
  if (!isObject(item)) return item
  const unknown = Object.entries(item).filter(([name]) => !names.has(name))
  if (unknown.length === 0) return item
  const known = Object.entries(item).filter(([name]) => names.has(name))
  const { extra } = item
  return Object.fromEntries([
    ...known,
    ['extra', { ...(isObject(extra) ? extra : {}), ...Object.fromEntries(unknown) }],
  ])
}

function flattened(answer: Answer): Answer {
  const { body } = answer
  if (!isObject(body) || !Object.hasOwn(body, 'data')) return answer
  const { data } = body
  return { ...answer, body: { ...body, data: Array.isArray(data) ? data.map(spread) : spread(data) } }
}

const spread = (item: unknown): unknown => (isObject(item) && isObject(item.extra) ? { ...item.extra, ...item } : item)
