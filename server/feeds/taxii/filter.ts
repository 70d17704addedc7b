import { parseTimestamp } from '../../domain/timestamp.ts'
import { badRequest } from '../../engine/errors.ts'
import type { Incoming } from '../../engine/route.ts'
import { parseNext } from './next.ts'

/** The maximum and default number of objects in a page. */
export const MAX_PAGE_SIZE = 1000

/** The requested versions of objects: the named ones, and those with these times. */
export interface Versions {
  readonly named: readonly ('first' | 'last' | 'all')[]
  readonly at: readonly string[]
}

/** What a client requests of a collection. */
export interface Filter {
  readonly limit: number
  /** Only objects added after this time. */
  readonly after: string | null
  readonly ids: readonly string[] | null
  readonly types: readonly string[] | null
  readonly specVersions: readonly string[] | null
  /** Null if the request does not state any. */
  readonly versions: Versions | null
  /** The requested options, normalised; `next` carries them. The size of pages is not one of them. */
  readonly options: Readonly<Record<string, string>>
}

type Query = Incoming['query']

const MATCH = /^match\[(.*)\]$/
const FIELDS = ['id', 'type', 'version', 'spec_version']

/** Reads the parameters of a list; `about` identifies what is listed. A refusal names all errors at once. */
export function readFilter(query: Query, about: string): Filter {
  const faults: string[] = []
  const next = single(query, 'next', faults)
  const position = next === undefined ? null : parseNext(next, about)
  if (position === undefined) faults.push('next: does not belong to this endpoint of this collection.')
  const carried = position?.options ?? {}
  const options = readOptions(withCarried(query, carried), faults)
  const limit = readLimit(query, faults)
  faults.push(...unknownIn(query))
  if (position) faults.push(...contradictions(options.spelling, carried))
  if (faults.length > 0) throw badRequest(faults)
  const { addedAfter, spelling, ...matches } = options
  return { ...matches, limit, after: laterOf(position?.addedAt ?? null, addedAfter), options: spelling }
}

/** Adds the options that `next` carries and the request omits: OpenCTI drops `added_after` when it follows `next`. */
const withCarried = (query: Query, carried: Readonly<Record<string, string>>): Query => {
  const absent = Object.entries(carried).filter(([name]) => !query[name]?.some((text) => text.trim() !== ''))
  return { ...query, ...Object.fromEntries(absent.map(([name, text]) => [name, [text]])) }
}

/** The later of two times. OpenCTI keeps `next` and asks for newer objects in its next run; it already has everything before `next`. */
const laterOf = (position: string | null, addedAfter: string | null): string | null =>
  position === null || (addedAfter !== null && addedAfter > position) ? addedAfter : position

const contradictions = (asked: Readonly<Record<string, string>>, carried: Readonly<Record<string, string>>): string[] =>
  Object.entries(asked).flatMap(([name, text]) =>
    carried[name] === text || name === 'added_after'
      ? []
      : [`${name}: differs from the request that returned next; omit it, or start without next.`],
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

/** The value of a parameter that may occur once; an empty value counts as absent. */
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
  const text = single(query, 'limit', faults) ?? String(MAX_PAGE_SIZE)
  if (!/^\d{1,100}$/.test(text) || Number(text) < 1) faults.push('limit: must be an integer from 1.')
  return Math.min(Number(text), MAX_PAGE_SIZE)
}

/** The values of a match, of which one has to match; sorted and without duplicates. */
function readMatch(query: Query, field: string, faults: string[]): string[] | null {
  const name = `match[${field}]`
  if (query[name] === undefined) return null
  const text = single(query, name, faults)
  const given = (text ?? '').split(',').map((value) => value.trim())
  const values = [...new Set(given)].sort()
  if (values.includes('')) faults.push(`${name}: must be a value, or several separated by commas.`)
  if (field === 'version' && values.length < given.length) faults.push(`${name}: must not repeat a version.`)
  return values
}

function readVersions(values: readonly string[] | null, faults: string[]): Versions | null {
  if (!values) return null
  const named = (['first', 'last', 'all'] as const).filter((name) => values.includes(name))
  const times = values.filter((value) => !/^(first|last|all|)$/.test(value)).map(parseTimestamp)
  const at = times.filter((time) => time !== undefined)
  if (at.length < times.length) faults.push('match[version]: must be first, last, all, or times.')
  if (named.includes('all') && values.length > 1) faults.push('match[version]: all cannot be combined with others.')
  return { named, at: at.sort() }
}

/** An unknown filter must not be ignored, or the response would contain more than requested. */
const unknownIn = (query: Query): string[] =>
  Object.keys(query).flatMap((name) => {
    const field = MATCH.exec(name)?.[1]
    return field === undefined || FIELDS.includes(field)
      ? []
      : [
          `${name.slice(0, 100)}: is not supported; supported are: ${FIELDS.map((known) => `match[${known}]`).join(', ')}.`,
        ]
  })
