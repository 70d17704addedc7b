import { csvLine } from '../../../server/domain/csv.ts'
import type { Column } from './columns.ts'

const HEAD = ['tactic_id', 'tactic', 'node', 'technique_id', 'name', 'score', 'covered', 'gap', 'side']

const rounded = (number: number): number => Math.round(number * 1_000) / 1_000

/** The cells of a matrix as CSV, one line each. */
export function matrixCsv(columns: readonly Column[]): string {
  const rows = columns.flatMap(({ tactic, cells }) =>
    cells.map(({ place, face }) => [
      tactic.externalId,
      tactic.name,
      place.id,
      place.externalId,
      place.name,
      rounded(face.score),
      rounded(face.share),
      rounded(face.gap),
      face.mark,
    ]),
  )
  return [HEAD, ...rows].map(csvLine).join('')
}
