import type { Coverage } from '../../server/attack/defenses/coverage.ts'

/** A row of the coverage of a matrix. */
export interface Gap {
  readonly id: string
  readonly count: number
  readonly score: number
  readonly threat: number
  readonly share: number
  readonly gap: number
  readonly best_score: number
  readonly is_detectable: boolean
  readonly mitigations: number
  readonly detections: number
  readonly analytics: number
  readonly possible_analytics: number
  readonly missing_log_sources: readonly number[]
}

interface Scored {
  readonly id: string
  readonly count: number
  readonly score: number
}

/** The coverage of the techniques of one matrix, from the heat of its nodes without aggregate, one after the other. */
export function modelGaps(heat: readonly Scored[], covered: readonly Coverage[], aggregate: string): Gap[] {
  const scoreOf = (id: string) => heat.find((node) => node.id === id)?.score ?? 0
  const rows = covered.map((own) => {
    const family = aggregate === 'none' ? [own] : covered.filter((each) => isWithin(each.technique, own.technique))
    const scores = family.map(({ technique }) => scoreOf(technique))
    const open = family.map(({ technique, share }) => scoreOf(technique) * (1 - share))
    const score = aggregate === 'max' ? Math.max(...scores) : sum(scores)
    return { own, score, open: aggregate === 'max' ? Math.max(...open) : sum(open) }
  })
  // Even the largest score may be tiny, by recency.
  const largest = Math.max(...rows.map(({ score }) => score)) || 1
  return rows
    .map(({ own: { technique, share, ...rest }, score, open }) => ({
      ...rest,
      id: technique,
      count: heat.find(({ id }) => id === technique)?.count ?? 0,
      score,
      threat: score / largest,
      share: score > 0 ? 1 - open / score : share,
      gap: open / largest,
    }))
    .filter(({ threat, share }) => threat > 0 || share > 0)
}

/** A technique has the id of its sub-techniques up to the dot. */
const isWithin = (id: string, technique: string): boolean => id === technique || id.startsWith(`${technique}.`)

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)
