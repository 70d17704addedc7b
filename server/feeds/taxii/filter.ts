import { badRequest } from '../../engine/errors.ts'
import type { Incoming } from '../../engine/route.ts'
import { parseTimestamp } from '../../engine/timestamp.ts'
import { readPlace } from './place.ts'

/** The most that one page has, which is also what it has unless a client asks for less. */
export const LARGEST_PAGE = 1000

/** Which versions of objects: the named ones, and those of these times. */
export interface Versions {
  readonly named: readonly ('first' | 'last' | 'all')[]
  readonly at: readonly string[]
}

/** What a client asks of a collection. */
export interface Filter {
  readonly limit: number
  /** Only what was added after it. */
  readonly after: string | null
  readonly ids: readonly string[] | null
  readonly types: readonly string[] | null
  readonly specVersions: readonly string[] | null
  /** Null where nobody says. */
  readonly versions: Versions | null
  /** What was asked for, each in one spelling; `next` carries it. The size of pages is no part of it. */
  readonly options: Readonly<Record<string, string>>
}

type Query = Incoming['query']

const MATCH = /^match\[(.*)\]$/
const FIELDS = ['id', 'type', 'version', 'spec_version']

/** Reads the parameters of a list; `about` is what is listed. All faults are told at once. */
export function readFilter(query: Query, about: string): Filter {
  const faults: string[] = []
  const next = single(query, 'next', faults)
  const place = next === undefined ? null : readPlace(next, about)
  if (place === undefined) faults.push('next: does not belong to this endpoint of this collection.')
  const carried = place?.options ?? {}
  const options = readOptions(withCarried(query, carried), faults)
  const limit = readLimit(query, faults)
  faults.push(...unknownIn(query))
  if (place) faults.push(...contradictions(options.spelling, carried))
  if (faults.length > 0) throw badRequest(faults)
  const { addedAfter, spelling, ...matches } = options
  return { ...matches, limit, after: laterOf(place?.addedAt ?? null, addedAfter), options: spelling }
}

/** Options that are absent beside `next` are those that it carries: OpenCTI drops `added_after` when it follows one. */
const withCarried = (query: Query, carried: Readonly<Record<string, string>>): Query => {
  const absent = Object.entries(carried).filter(([name]) => !query[name]?.some((text) => text.trim() !== ''))
  return { ...query, ...Object.fromEntries(absent.map(([name, text]) => [name, [text]])) }
}

/** A client may keep a place and ask for newer objects only: OpenCTI does in its next run. What is before the place, it has. */
const laterOf = (place: string | null, addedAfter: string | null): string | null =>
  place === null || (addedAfter !== null && addedAfter > place) ? addedAfter : place

const contradictions = (asked: Readonly<Record<string, string>>, carried: Readonly<Record<string, string>>): string[] =>
  Object.entries(asked).flatMap(([name, text]) =>
    carried[name] === text || name === 'added_after'
      ? []
      : [`${name}: is not what next was made for; leave it out, or start without next.`],
  )

function readOptions(query: Query, faults: string[]) {
  const matched = (field: string) => readMatch(query, field, faults)
  const [ids, types, specVersions, named] = [
    matched('id'),
    matched('type'),
    matched('spec_version'),
    matched('version'),
  ]
  const versions = readVersions(named, faults)
  const addedAfter = readAddedAfter(query, faults)
  const spelled = {
    added_after: addedAfter,
    'match[id]': ids?.join(),
    'match[type]': types?.join(),
    'match[spec_version]': specVersions?.join(),
    'match[version]': versions && [...versions.named, ...versions.at].join(),
  }
  const given = Object.entries(spelled).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return { addedAfter, ids, types, specVersions, versions, spelling: Object.fromEntries(given) }
}

/** The value of a parameter that may be there once; an empty one is none. */
function single(query: Query, name: string, faults: string[]): string | undefined {
  const values = query[name] ?? []
  if (values.length > 1) faults.push(`${name}: must not be repeated.`)
  return values[0]?.trim() || undefined
}

function readAddedAfter(query: Query, faults: string[]): string | null {
  const text = single(query, 'added_after', faults)
  const time = text === undefined ? null : parseTimestamp(text)
  if (time === undefined) faults.push('added_after: must be a time such as 2024-01-29T07:42:07.059329Z.')
  return time ?? null
}

function readLimit(query: Query, faults: string[]): number {
  const text = single(query, 'limit', faults) ?? String(LARGEST_PAGE)
  if (!/^\d{1,100}$/.test(text) || Number(text) < 1) faults.push('limit: must be an integer from 1.')
  return Math.min(Number(text), LARGEST_PAGE)
}

/** The values of a match, of which one has to fit; in one order, and each once. */
function readMatch(query: Query, field: string, faults: string[]): string[] | null {
  const name = `match[${field}]`
  if (query[name] === undefined) return null
  const text = single(query, name, faults)
  const given = (text ?? '').split(',').map((value) => value.trim())
  const values = [...new Set(given)].sort()
  if (values.includes('')) faults.push(`${name}: must be a value, or several with commas between them.`)
  if (field === 'version' && values.length < given.length) faults.push(`${name}: must have each version once.`)
  return values
}

function readVersions(values: readonly string[] | null, faults: string[]): Versions | null {
  if (!values) return null
  const named = (['first', 'last', 'all'] as const).filter((name) => values.includes(name))
  const times = values.filter((value) => !/^(first|last|all|)$/.test(value)).map(parseTimestamp)
  const at = times.filter((time) => time !== undefined)
  if (at.length < times.length) faults.push('match[version]: must be first, last, all, or times.')
  if (named.includes('all') && values.length > 1) faults.push('match[version]: all must stand alone.')
  return { named, at: at.sort() }
}

/** A filter that is not known must not be passed over: more would be answered than was asked for. */
const unknownIn = (query: Query): string[] =>
  Object.keys(query).flatMap((name) => {
    const field = MATCH.exec(name)?.[1]
    return field === undefined || FIELDS.includes(field)
      ? []
      : [`${name.slice(0, 100)}: is not known; these are: ${FIELDS.map((known) => `match[${known}]`).join(', ')}.`]
  })
