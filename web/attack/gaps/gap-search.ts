import { type NamedNode, placeOf } from '../nodes.ts'
import { type Gap, logSourceName } from './gap.ts'

/** The columns that gaps can be sorted by, apart from the gap itself. */
export const SORTS = ['count', 'threat', 'share'] as const

/** Gaps in the order of a column, descending after a minus; the largest gap comes first without one, and among equals. */
export function sortedGaps(gaps: readonly Gap[], sort: string): readonly Gap[] {
  const column = SORTS.find((name) => name === sort.replace('-', ''))
  if (!column) return gaps
  const sign = sort.startsWith('-') ? -1 : 1
  return gaps.toSorted((a, b) => sign * (a[column] - b[column]))
}

/** The gaps whose technique, tactic or missing log sources contain all typed words. */
export function matchingGaps(
  gaps: readonly Gap[],
  nodes: ReadonlyMap<string, NamedNode>,
  typed: string,
): readonly Gap[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return gaps
  return gaps.filter((gap) => {
    const { node, technique, tactic } = placeOf(nodes, gap.id)
    const texts = [gap.id, node?.name, technique?.name, tactic?.name, ...gap.missing_log_sources.map(logSourceName)]
    const text = texts.join('\n').toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
