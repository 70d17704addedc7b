import { setImmediate } from 'node:timers/promises'
import { type Family, ipv4, ipv6, parseNetwork } from '../../../domain/observables/ip.ts'
import { badRequest } from '../../../engine/errors.ts'

/** Addresses from the first to the last one. */
export interface AddressRange {
  readonly family: Family
  readonly first: bigint
  readonly last: bigint
}

/** A range that stands in the row of a table with a position. */
export interface PlacedRange extends AddressRange {
  readonly position: number
}

/** A part of the addresses of a family, and the positions of the rows that contain it, the narrowest range first. */
export interface Segment {
  readonly first: string
  readonly last: string
  readonly positions: readonly number[]
}

const MAX_OVERLAPPING = 50
const RANGES_PER_TURN = 2000
const ADDRESS = /^[\da-f]*[.:][\da-f.:]+(?:\/\d{1,3}|\s*-\s*[\da-f.:]+)?$/i

/** Reads an address, a network in CIDR notation, or a range such as `192.0.2.1-192.0.2.9`; undefined for other texts. */
export function rangeOf(text: string): AddressRange | undefined {
  if (text.length > 100 || !ADDRESS.test(text)) return undefined
  for (const family of [ipv4, ipv6]) {
    const network = parseNetwork(family, text)
    if (network) return { family, first: network.first, last: network.last }
    const [first, last = first] = text.split('-').map((part) => family.parse(part.trim()))
    if (first !== undefined && last !== undefined && first <= last) return { family, first, last }
  }
  return undefined
}

/** Cuts ranges, which may overlap, into segments that do not: one index probe then finds all rows with an address. */
export async function segmentsOf(ranges: readonly PlacedRange[]): Promise<Segment[]> {
  const segments: Segment[] = []
  for (const family of [ipv4, ipv6]) {
    const sorted = ranges
      .filter((range) => range.family === family)
      .sort((a, b) => compare(a.first, b.first) || compare(b.last, a.last))
    await cut(family, sorted, segments)
  }
  return segments
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)

async function cut(family: Family, sorted: readonly PlacedRange[], segments: Segment[]): Promise<void> {
  let open: PlacedRange[] = []
  let from = 0n
  const add = (last: bigint) => {
    const positions = open.toSorted((a, b) => compare(a.last - a.first, b.last - b.first) || a.position - b.position)
    segments.push({
      first: family.format(from),
      last: family.format(last),
      positions: positions.map(({ position }) => position),
    })
    from = last + 1n
  }
  const closeBefore = (limit: bigint | undefined) => {
    while (open.length > 0) {
      const end = open.reduce((least, { last }) => (last < least ? last : least), open[0]?.last ?? 0n)
      if (limit !== undefined && end >= limit) break
      add(end)
      open = open.filter(({ last }) => last > end)
    }
    if (limit !== undefined && open.length > 0 && from < limit) add(limit - 1n)
  }
  for (const [i, range] of sorted.entries()) {
    // Other requests are served in between.
    if (i % RANGES_PER_TURN === RANGES_PER_TURN - 1) await setImmediate()
    closeBefore(range.first)
    from = range.first
    open.push(range)
    if (open.length > MAX_OVERLAPPING)
      throw badRequest(`data: more than ${MAX_OVERLAPPING} networks contain ${family.format(range.first)}`)
  }
  closeBefore(undefined)
}
