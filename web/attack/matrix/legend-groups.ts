import type { Face } from './columns.ts'
import { NO_FACE } from './faces.ts'
import { type HeatScale, scoreText } from './heat-level.ts'

/** What a cell of some look means. */
export interface LegendItem {
  readonly label: string
  /** How many cells look like it, where that is said. */
  readonly count?: number
  readonly face: Face
}

/** The meanings of one kind of look, such as the shades of heat. */
export interface LegendGroup {
  readonly title: string
  readonly items: readonly LegendItem[]
}

const item = (label: string, look: Partial<Face>): LegendItem => ({ label, face: { ...NO_FACE, ...look } })

const rangeText = (from: number, to: number) =>
  scoreText(from) === scoreText(to) ? scoreText(from) : `${scoreText(from)}–${scoreText(to)}`

const shadesOf = ({ steps }: HeatScale): readonly LegendItem[] => [
  item('0', {}),
  ...steps.map(({ level, from, to }) => item(rangeText(from, to), { level })),
]

/** What colours, frames and strips mean. */
export const heatLegend = (scale: HeatScale, by: 'count' | 'recency'): readonly LegendGroup[] => [
  {
    title: by === 'count' ? 'Entities' : 'Recency',
    items: shadesOf(scale),
  },
  {
    title: 'Defense',
    items: [
      item('Partial', { shareLevel: 1 }),
      item('Over half', { shareLevel: 3 }),
      item('Complete', { shareLevel: 4 }),
    ],
  },
  {
    title: 'Gap',
    items: [item('Small', { gapLevel: 1 }), item('Medium', { gapLevel: 2 }), item('Large', { gapLevel: 3 })],
  },
]

/** The shades of the scores of a layer. */
export const layerLegend = (scale: HeatScale): readonly LegendGroup[] => [{ title: 'Score', items: shadesOf(scale) }]

/** Which colour and pattern belongs to which side, with the number of techniques. */
export const comparisonLegend = (
  { left, right }: Readonly<Record<'left' | 'right', string>>,
  counts: Readonly<Record<'left' | 'both' | 'right', number>>,
): readonly LegendGroup[] => [
  {
    title: '',
    items: [
      { ...item(`Only ${left}`, { mark: 'left' }), count: counts.left },
      { ...item('Both', { mark: 'both' }), count: counts.both },
      { ...item(`Only ${right}`, { mark: 'right' }), count: counts.right },
    ],
  },
]

/** What classified techniques look like. */
export const CLASSIFICATION_LEGEND: readonly LegendGroup[] = [
  {
    title: '',
    items: [
      item('Classified', { mark: 'on' }),
      item('Only sub-techniques', { mark: 'inside' }),
      item('Not classified', {}),
    ],
  },
]
