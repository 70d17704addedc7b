import findMyWay from 'find-my-way'
import { type Collection, collections, spellings } from '../collections.ts'
import { METHODS, type Method, type Route } from '../engine/route.ts'

/** How the router reads addresses; what looks for one beside it must read them in the same way. */
export const routing = { ignoreTrailingSlash: true, maxParamLength: 4096 }

const API = '/api/v2'

/** What is at one address. */
export interface Place {
  readonly url: string
  readonly routes: readonly Route[]
  readonly methods: readonly Method[]
  /** Methods that it lacks and that a wider address has: a PUT of `/tasks/runs` must not reach the task named `runs`. */
  readonly shadowed: readonly Method[]
}

/** Where routes are: each at one address, in whatever way a request spells it. */
export interface Addresses {
  readonly places: readonly Place[]
  /** The address of a request as routes have it: hyphen and underscore in the name of a collection mean the same. */
  settle(url: string): string
  /** What is at the address of a request, whichever its method is. */
  find(url: string): Place | undefined
}

/** Spellings and methods are told apart here, not by routes of their own: those would be three times as many. */
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

/** Whether a router would take requests of one pattern for those of another with as many parts. */
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
