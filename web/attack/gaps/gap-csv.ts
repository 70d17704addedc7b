import { csvLine } from '../../../server/domain/csv.ts'
import { type NamedNode, placeOf } from '../nodes.ts'
import { type Gap, logSourceName } from './gap.ts'

const COLUMNS = [
  'rank',
  'id',
  'technique',
  'name',
  'tactic',
  'entities',
  'threat',
  'covered',
  'gap',
  'best_score',
  'mitigations',
  'detections',
  'analytics',
  'possible_analytics',
  'missing_log_sources',
] as const

/** Gaps as CSV, in the order of the table. */
export function csvOf(gaps: readonly Gap[], nodes: ReadonlyMap<string, NamedNode>): string {
  const rows = gaps.map((gap, i) => {
    const { node, technique, tactic } = placeOf(nodes, gap.id)
    const name = node ? [technique?.name, node.name].filter(Boolean).join(': ') : ''
    return [
      i + 1,
      gap.id,
      node?.external_id ?? '',
      name,
      tactic?.name ?? '',
      gap.count,
      rounded(gap.threat),
      rounded(gap.share),
      rounded(gap.gap),
      gap.best_score,
      gap.mitigations,
      gap.detections,
      gap.analytics,
      gap.possible_analytics,
      gap.missing_log_sources.map(logSourceName).join('; '),
    ]
  })
  return [COLUMNS, ...rows].map(csvLine).join('')
}

const rounded = (share: number): number => Math.round(share * 1_000) / 1_000
