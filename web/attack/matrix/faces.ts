import { counted } from '../analyses/analysis.ts'
import type { Gap } from '../gaps/gap.ts'
import type { Face, FaceOf, Mark } from './columns.ts'
import { gapLevelOf, type HeatScale, scaleOf, scoreText, shareLevelOf } from './heat-level.ts'
import type { Compared, HeatRow } from './matrix-data.ts'
import type { Place } from './matrix-tree.ts'

export const NO_FACE: Face = {
  score: 0,
  gap: 0,
  share: 0,
  level: 0,
  gapLevel: 0,
  shareLevel: 0,
  mark: '',
  text: '',
  label: '',
}

const GAPS = ['', 'small gap', 'medium gap', 'large gap']

/** Faces that show heat as colour, defense as frame and gaps as hatch. */
export function heatFaces(
  heat: readonly HeatRow[],
  coverage: readonly Pick<Gap, 'id' | 'share' | 'gap'>[],
  by: 'count' | 'recency',
  /** The heat whose scores get the shades: that of all time, so that periods can be compared. */
  whole: readonly HeatRow[] = heat,
): { readonly faceOf: FaceOf; readonly scale: HeatScale } {
  const scores = new Map(heat.map((row) => [row.id, row]))
  const covered = new Map(coverage.map((row) => [row.id, row]))
  const scale = scaleOf(whole.map(({ score }) => score))
  const scoreOf = ({ id }: Place) => scores.get(id)?.score ?? 0
  const gapOf = ({ id }: Place) => covered.get(id)?.gap ?? 0
  const faceOf: FaceOf = (place, isFolded) => {
    const within = isFolded ? [place, ...place.subs] : [place]
    const score = Math.max(...within.map(scoreOf))
    const gap = Math.max(...within.map(gapOf))
    const share = covered.get(place.id)?.share ?? 0
    const said = [
      heatInWords(by, scores.get(place.id)),
      ...(score > scoreOf(place) ? [`up to ${scoreText(score)} in sub-techniques`] : []),
      `${Math.round(share * 100)}% covered`,
      GAPS[gapLevelOf(gap)] ?? '',
    ]
    return {
      ...NO_FACE,
      score,
      gap,
      share,
      level: scale.levelOf(score),
      gapLevel: gapLevelOf(gap),
      shareLevel: shareLevelOf(share),
      text: score > 0 ? scoreText(score) : '',
      label: said.filter(Boolean).join(', '),
    }
  }
  return { faceOf, scale }
}

function heatInWords(by: 'count' | 'recency', row: HeatRow | undefined): string {
  const entities = row?.count ? counted(row.count, 'entity', 'entities') : 'no entities'
  return by === 'recency' && row ? `${entities}, recency ${scoreText(row.score)}` : entities
}

const SIDES = { left: 'only left', both: 'both sides', right: 'only right' } as const

/** Faces that show which side of a comparison has a technique. */
export function comparisonFaces(nodes: readonly Compared[]): FaceOf {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  return (place, isFolded) => {
    const within = (isFolded ? [place, ...place.subs] : [place]).flatMap(({ id }) => byId.get(id) ?? [])
    const left = Math.max(0, ...within.map((node) => node.left))
    const right = Math.max(0, ...within.map((node) => node.right))
    const isShared = within.some((node) => node.left > 0 && node.right > 0)
    const mark: Mark = left > 0 ? (right > 0 ? 'both' : 'left') : right > 0 ? 'right' : ''
    if (mark === '') return { ...NO_FACE, label: 'neither side' }
    const text = mark === 'both' ? `${scoreText(left)} · ${scoreText(right)}` : scoreText(left + right)
    const side = mark === 'both' && !isShared ? 'both sides, with different sub-techniques' : SIDES[mark]
    return { ...NO_FACE, score: left + right, mark, text, label: `${side}, ${left} left, ${right} right` }
  }
}

/** Faces that show the scores of a layer. */
export function layerFaces(nodes: readonly Compared[]): { readonly faceOf: FaceOf; readonly scale: HeatScale } {
  const scores = new Map(nodes.map(({ id, left }) => [id, left]))
  const scale = scaleOf([...scores.values()])
  const faceOf: FaceOf = (place, isFolded) => {
    const within = isFolded ? [place, ...place.subs] : [place]
    const score = Math.max(...within.map(({ id }) => scores.get(id) ?? 0))
    if (score === 0) return { ...NO_FACE, label: 'not in the layer' }
    const isOwn = scores.has(place.id)
    const label = isOwn
      ? `score ${scoreText(scores.get(place.id) ?? 0)}`
      : `up to ${scoreText(score)} in sub-techniques`
    return { ...NO_FACE, score, level: scale.levelOf(score), text: scoreText(score), label }
  }
  return { faceOf, scale }
}

/** Faces that show what an entity is classified with. */
export function classificationFaces(nodes: ReadonlySet<string>): FaceOf {
  return ({ id, subs }, isFolded) => {
    const inside = isFolded ? subs.filter((sub) => nodes.has(sub.id)).length : 0
    if (nodes.has(id)) return { ...NO_FACE, score: 1, mark: 'on', text: '✓', label: 'classified' }
    if (inside === 0) return { ...NO_FACE, label: 'not classified' }
    const label = `not classified, ${counted(inside, 'sub-technique is', 'sub-techniques are')}`
    return { ...NO_FACE, score: 0.5, mark: 'inside', text: `${inside}`, label }
  }
}
