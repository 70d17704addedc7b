import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { type Parameters, searchOf } from '../../api/lists.ts'
import { counted } from '../analyses/analysis.ts'

/** The path of coverage. */
export const COVERAGE = 'attacks/coverage'

/** The path of what collecting log sources would open. */
export const GAINS = 'attack-defenses/log-sources/gains'

export interface NamedLogSource {
  readonly id: number
  readonly name: string
  readonly channel: string
}

/** A technique in one place of a matrix, with how much of its threat is not covered. */
export interface Gap {
  readonly id: string
  /** The number of entities. */
  readonly count: number
  /** From 0 to 1: the score as a share of the largest one. */
  readonly threat: number
  readonly mitigations: number
  readonly detections: number
  readonly analytics: number
  /** The analytics whose log sources are all collected. */
  readonly possible_analytics: number
  /** The highest score of a defense, from 0 to 4. */
  readonly best_score: number
  readonly is_detectable: boolean
  /** How much is covered, from 0 to 1. */
  readonly share: number
  /** threat × (1 − share) */
  readonly gap: number
  readonly missing_log_sources: readonly NamedLogSource[]
}

export interface Gaps {
  readonly data: readonly Gap[]
  /** The number of entities in the scope. */
  readonly total_count: number
}

/** What collecting one log source would open. */
export interface Gain {
  readonly log_source: NamedLogSource
  readonly analytics: number
  readonly techniques: number
  readonly threat: number
}

/** The techniques with a gap, the largest first. */
export const gapsQuery = (parameters: Parameters) =>
  queryOptions({
    queryKey: [COVERAGE, 'gaps', parameters],
    queryFn: ({ signal }) =>
      call<Gaps>('GET', `${COVERAGE}${searchOf({ ...parameters, kind: 'gap' })}`, undefined, signal),
  })

/** The log sources that would open the most, the best first. */
export const gainsQuery = (parameters: Parameters, limit: number) =>
  queryOptions({
    queryKey: [GAINS, 'gains', { ...parameters, limit }],
    queryFn: async ({ signal }) =>
      (await call<{ data: readonly Gain[] }>('GET', `${GAINS}${searchOf({ ...parameters, limit })}`, undefined, signal))
        .data,
  })

/** The channel to show: ATT&CK names the channel of some log sources “None”. */
export const channelOf = ({ channel }: Pick<NamedLogSource, 'channel'>): string => (channel === 'None' ? '' : channel)

/** The name of a log source with its channel. */
export const logSourceName = (source: Pick<NamedLogSource, 'name' | 'channel'>): string =>
  [source.name, channelOf(source)].filter(Boolean).join(' ')

/** What a gain opens, in words: “31 analytics for 12 techniques”. */
export const gainInWords = ({ analytics, techniques }: Pick<Gain, 'analytics' | 'techniques'>): string =>
  `${counted(analytics, 'analytic', 'analytics')} for ${counted(techniques, 'technique', 'techniques')}`

/** A share as a percentage. A small one is not shown as none, nor a large one as all. */
export function percent(share: number): string {
  if (share <= 0) return '0%'
  if (share >= 1) return '100%'
  return `${Math.min(99, Math.max(1, Math.round(share * 100)))}%`
}
