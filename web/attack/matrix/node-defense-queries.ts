import { idOf } from '../../api/lists.ts'
import { wholeQuery } from '../all-pages.ts'
import { DEFENSES, type DefenseType } from '../defenses/defense.ts'
import type { LogSource } from '../defenses/log-source.ts'

/** A defense as the panel of a technique shows it. */
export interface NodeDefense {
  readonly id: number
  readonly name: string
  readonly type: DefenseType
  readonly external_id: string | null
  /** URLs of the analytics of a strategy. */
  readonly related_defenses: readonly string[]
}

/** That an analytic needs a log source. */
export interface LogSourceReference {
  /** The URL of the analytic. */
  readonly from_defense: string
  readonly name: string
  readonly channel: string
}

const ATTRIBUTES = 'id,name,type,external_id,related_defenses'

/** What mitigates or detects a technique in one place. */
export const defensesQuery = (node: string) =>
  wholeQuery<NodeDefense>(DEFENSES, { 'filter[related_techniques]': node, attributes: ATTRIBUTES })

/** The analytics of some strategies. */
export const analyticsQuery = (strategies: readonly NodeDefense[]) =>
  wholeQuery<NodeDefense>(DEFENSES, {
    'filter[source_defenses]': strategies.map(({ id }) => id),
    'filter[type]': 'analytic',
    attributes: ATTRIBUTES,
  })

/** The log sources that some analytics need. */
export const referencesQuery = (analytics: readonly NodeDefense[]) =>
  wholeQuery<LogSourceReference>(`${DEFENSES}/inner-relationships`, {
    'filter[from_defense]': analytics.map(({ id }) => id),
    'filter[type]': 'log-source-references',
  })

/** The log sources of an analytic, and which of them are collected. References without a name do not say which one they mean. */
export function logSourcesOf(
  { id }: Pick<NodeDefense, 'id'>,
  references: readonly LogSourceReference[],
  sources: readonly Pick<LogSource, 'name' | 'channel' | 'is_collected'>[],
) {
  const keyOf = ({ name, channel }: Pick<LogSource, 'name' | 'channel'>) => `${name}\n${channel}`
  const collected = new Set(sources.filter(({ is_collected }) => is_collected).map(keyOf))
  const own = references.filter((each) => each.name !== '' && Number(idOf(each.from_defense)) === id)
  return [...new Map(own.map((each) => [keyOf(each), each])).values()].map(({ name, channel }) => ({
    name,
    channel,
    isCollected: collected.has(keyOf({ name, channel })),
  }))
}
