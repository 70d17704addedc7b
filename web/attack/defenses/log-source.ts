import { call } from '../../api/call.ts'
import type { Parameters } from '../../api/lists.ts'
import { wholeQuery } from '../all-pages.ts'
import { DEFENSES } from './defense.ts'
import { renewCoverage } from './status.ts'

/** The collection of log sources. */
export const LOG_SOURCES = `${DEFENSES}/log-sources`

/** Events that analytics need, such as a name of `WinEventLog:Security` with a channel of `EventCode=4688`. */
export interface LogSource {
  readonly id: number
  readonly name: string
  readonly channel: string
  readonly is_collected: boolean
  readonly owner: string | null
  readonly note: string
  readonly review_at: string | null
  /** How many analytics need it, and how many techniques these detect. */
  readonly analytics: number
  readonly techniques: number
}

/** The log sources of one name. */
export interface LogSourceGroup {
  readonly name: string
  /** Those that a search found. */
  readonly sources: readonly LogSource[]
  /** How many there are without a search. */
  readonly total: number
  /** How many of those found are collected. */
  readonly collected: number
}

/** Which log sources to show. */
export type Collected = '' | 'yes' | 'partly' | 'no'

/** All log sources, or those of a matrix. */
export const logSourcesQuery = (domain: string) => {
  const parameters: Parameters = domain === '' ? {} : { 'filter[domains]': domain }
  return wholeQuery<LogSource>(LOG_SOURCES, parameters)
}

/** The log sources that contain all typed words, by name. A group of which something matches by its name is shown whole. */
export function groupsOf(
  sources: readonly LogSource[],
  typed: string,
  collected: Collected,
): readonly LogSourceGroup[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const has = (text: string) => words.every((word) => text.toLowerCase().includes(word))
  const byName = Map.groupBy(sources, ({ name }) => name)
  return [...byName]
    .map(([name, all]) =>
      groupOf(name, has(name) ? all : all.filter((each) => has(`${name} ${each.channel}`)), all.length),
    )
    .filter((group) => group.sources.length > 0 && isOf(group, collected))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
}

const groupOf = (name: string, sources: readonly LogSource[], total: number): LogSourceGroup => ({
  name,
  total,
  sources: sources.toSorted((a, b) => a.channel.localeCompare(b.channel, 'en', { numeric: true })),
  collected: sources.filter(({ is_collected }) => is_collected).length,
})

function isOf({ sources, collected }: LogSourceGroup, wanted: Collected): boolean {
  if (wanted === 'yes') return collected === sources.length
  if (wanted === 'partly') return collected > 0 && collected < sources.length
  return wanted === '' || collected === 0
}

/** What users say about a log source. */
export type LogSourceValues = Partial<Pick<LogSource, 'is_collected' | 'owner' | 'note' | 'review_at'>>

/** The most objects of one request. */
const MAX_WRITTEN = 500

/** Writes the same about several log sources. */
export async function writeLogSources(
  sources: readonly Pick<LogSource, 'name' | 'channel'>[],
  values: LogSourceValues,
): Promise<void> {
  for (let at = 0; at < sources.length; at += MAX_WRITTEN) {
    const data = sources.slice(at, at + MAX_WRITTEN).map(({ name, channel }) => ({ name, channel, ...values }))
    await call('PUT', LOG_SOURCES, { data })
  }
  await renewCoverage(LOG_SOURCES)
}
