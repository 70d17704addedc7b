import { type NamedNode, placeOf } from '../nodes.ts'
import { type Gap, logSourceName } from './gap.ts'

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
