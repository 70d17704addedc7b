import findMyWay from 'find-my-way'
import { type Collection, collections, spellings } from '../collections.ts'
import { METHODS, type Method, type Route } from '../engine/route.ts'

/** Router options, shared with the look-up here so that both read paths in the same way. */
export const routing = { ignoreTrailingSlash: true, maxParamLength: 4096 }

const API = '/api/v2'

/** The routes at one path. */
export interface Place {
  readonly url: string
  readonly routes: readonly Route[]
  readonly methods: readonly Method[]
  /** Methods that exist only for a more general path: a PUT to `/tasks/runs` must not reach the task named `runs`. */
  readonly shadowed: readonly Method[]
}

/** Finds routes by path, independent of how a request spells it. */
export interface Addresses {
  readonly places: readonly Place[]
  /**
   * Rewrites the URL of a request to the spelling used by routes: hyphens and underscores in collection names are
   * equivalent.
   */
  settle(url: string): string
  /** Finds the routes at a URL, for any method. */
  find(url: string): Place | undefined
}

/** Spellings and methods are resolved here instead of by additional routes, which would triple their number. */
export function addressesOf(routes: readonly Route[]): Addresses {
  const places = placesOf(routes)
  const router = findMyWay(routing)
  for (const place of places) router.on('GET', place.url, () => {}, place)
  return {
    places,
    settle: settlerOf(new Set(routes.map(({ base = API }) => base).filter((base) => base !== ''))),
    find: (url) => router.find('GET', url)?.store,
  }
}

function placesOf(routes: readonly Route[]): Place[] {
  const byUrl = Map.groupBy(routes, ({ base = API, path }) => `${base}${path}`)
  const all = [...byUrl].map(([url, routes]) => ({ url, routes, parts: url.split('/') }))
  const wide = Map.groupBy(
    all.filter(({ parts }) => parts.some(isAny)),
    ({ parts }) => parts.length,
  )
  return all.map(({ url, routes, parts }) => {
    const methods = routes.map(({ method }) => method)
    const wider = wide.get(parts.length)?.filter((other) => other.url !== url && covers(other.parts, parts)) ?? []
    const theirs = new Set(wider.flatMap((other) => other.routes.map(({ method }) => method)))
    return { url, routes, methods, shadowed: METHODS.filter((one) => theirs.has(one) && !methods.includes(one)) }
  })
}

const isAny = (part: string): boolean => part.startsWith(':')

/** Whether the router would match requests for one pattern with another pattern of the same length. */
function covers(wide: readonly string[], narrow: readonly string[]): boolean {
  for (let at = wide.length - 1; at >= 0; at--) {
    const part = wide[at] as string
    if (part !== narrow[at] && !isAny(part)) return false
  }
  return true
}

function settlerOf(bases: ReadonlySet<string>): (url: string) => string {
  const paths = new Map<string, string>()
  for (const [collection, { path }] of Object.entries(collections)) {
    for (const name of spellings(collection as Collection)) if (name !== path) paths.set(name, path)
  }
  const either = (names: Iterable<string>) => [...names].sort((a, b) => b.length - a.length).join('|')
  const escaped = either(paths.keys()).replaceAll('_', '(?:_|%5[Ff])').replaceAll('-', '(?:-|%2[Dd])')
  const other = new RegExp(`^(${either(bases)})/(${escaped})(?=[/?#]|$)`)
  return (url) =>
    url.replace(other, (_all, base: string, name: string) => `${base}/${paths.get(decodeURIComponent(name))}`)
}
