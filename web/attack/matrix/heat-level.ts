/** The number of shades of heat; 0 is none. */
export const LEVELS = 5

/** Below this, the highest score does not get the strongest shade: one report about an actor is no alarm. */
const CALM = 5

/** The shades of a heat. */
export interface HeatScale {
  readonly levelOf: (score: number) => number
  /** The smallest score of each shade that occurs, with its level, in ascending order. */
  readonly steps: readonly { readonly level: number; readonly from: number; readonly to: number }[]
}

/** Divides scores into shades: by their square root, so that techniques with few entities can be told apart next to one with hundreds. */
export function scaleOf(scores: readonly number[]): HeatScale {
  const most = Math.max(CALM, ...scores)
  const levelOf = (score: number) =>
    score <= 0 ? 0 : Math.min(LEVELS, Math.max(1, Math.ceil(LEVELS * Math.sqrt(score / most) - 1e-9)))
  const byLevel = Map.groupBy(
    scores.filter((score) => score > 0),
    levelOf,
  )
  const steps = [...byLevel]
    .map(([level, within]) => ({ level, from: Math.min(...within), to: Math.max(...within) }))
    .toSorted((a, b) => a.level - b.level)
  return { levelOf, steps }
}

/** A score as text: whole numbers, or one decimal below ten. */
export const scoreText = (score: number): string =>
  Number.isInteger(score) || score >= 10
    ? Math.round(score).toLocaleString('en')
    : score < 0.05
      ? '<0.1'
      : score.toFixed(1)

/** The shade of a gap, from 0 to 3. The smallest are left out: with them, nearly every cell would be marked. */
export const gapLevelOf = (gap: number): number => (gap < 0.05 ? 0 : gap < 0.15 ? 1 : gap < 0.45 ? 2 : 3)

/** How far a technique is defended, in five steps. */
export const shareLevelOf = (share: number): number => (share <= 0 ? 0 : Math.min(4, Math.ceil(share * 4 - 1e-9)))
