import { ApiError } from '../../engine/errors.ts'
import { readHeader } from './header-values.ts'

/** The media types of TAXII 2.1 and of the content of its collections. */
export const TAXII = 'application/taxii+json;version=2.1'
export const STIX = 'application/stix+json;version=2.1'

const TYPE = 'application/taxii+json'
const VERSION = '2.1'

type Header = string | string[] | undefined

/** Refuses a client that does not accept the response; the most specific matching range decides. */
export function requireAcceptable(header: Header): void {
  const ranges = readHeader(String(header ?? ''))
  if (ranges.length === 0) return
  const fitting = ranges
    .map(({ value, parameters }) => ({ rank: rankOf(value, parameters), weight: weightOf(parameters) }))
    .filter(({ rank }) => rank >= 0)
    .sort((a, b) => b.rank - a.rank || b.weight - a.weight)
  if (fitting[0] && fitting[0].weight > 0) return
  throw new ApiError(406, `Accept: must be, or allow, ${TAXII}.`)
}

/** Refuses a body of another content type. */
export function requireContentType(header: Header): void {
  const [only, ...others] = readHeader(String(header ?? ''))
  const isOurs = only?.value === TYPE && (only.parameters.get('version') ?? VERSION) === VERSION
  if (!isOurs || others.length > 0) throw new ApiError(415, `Content-Type: must be ${TAXII}.`)
}

/** How specifically a range matches TAXII; below zero if it does not. */
function rankOf(range: string, parameters: ReadonlyMap<string, string>): number {
  if (range === '*/*') return 0
  if (range === 'application/*') return 1
  if (range !== TYPE) return -1
  const version = parameters.get('version')
  if (version === undefined) return 2
  return version === VERSION ? 3 : -1
}

/** An invalid weight counts as 1. */
function weightOf(parameters: ReadonlyMap<string, string>): number {
  const weight = Number(parameters.get('q') ?? 1)
  return Number.isNaN(weight) ? 1 : weight
}
