import type { ReactNode } from 'react'
import { type HeatScale, scoreText } from './heat-level.ts'
import classes from './legend.module.css'
import grid from './matrix-grid.module.css'

interface KeyProps {
  readonly children: ReactNode
  /** The data attributes of a cell. */
  readonly like: Readonly<Record<`data-${string}`, string | number>>
}

const Key = ({ like, children }: KeyProps) => (
  <span className={classes.key}>
    <span className={`${grid.cell} ${classes.sample}`} {...like} aria-hidden />
    {children}
  </span>
)

const Legend = ({ children }: { readonly children: ReactNode }) => (
  <div className={`${grid.colours} ${classes.legend}`} role="note" aria-label="Legend">
    {children}
  </div>
)

const rangeText = (from: number, to: number) =>
  scoreText(from) === scoreText(to) ? scoreText(from) : `${scoreText(from)}–${scoreText(to)}`

interface HeatLegendProps {
  readonly scale: HeatScale
  readonly by: 'count' | 'recency'
}

/** What colours, frames and strips mean. */
export const HeatLegend = ({ scale: { steps }, by }: HeatLegendProps) => (
  <Legend>
    <span className={classes.title}>{by === 'count' ? 'Entities' : 'Recency'}</span>
    <Key like={{ 'data-level': 0 }}>0</Key>
    {steps.map(({ level, from, to }) => (
      <Key key={level} like={{ 'data-level': level }}>
        {rangeText(from, to)}
      </Key>
    ))}
    <span className={classes.title}>Defense</span>
    <Key like={{ 'data-share': 1 }}>Partial</Key>
    <Key like={{ 'data-share': 3 }}>Over half</Key>
    <Key like={{ 'data-share': 4 }}>Complete</Key>
    <span className={classes.title}>Gap</span>
    <Key like={{ 'data-gap': 1 }}>Small</Key>
    <Key like={{ 'data-gap': 2 }}>Medium</Key>
    <Key like={{ 'data-gap': 3 }}>Large</Key>
  </Legend>
)

interface ComparisonLegendProps {
  readonly left: string
  readonly right: string
  readonly counts: Readonly<Record<'left' | 'both' | 'right', number>>
}

/** Which colour and pattern belongs to which side, with the number of techniques. */
export const ComparisonLegend = ({ left, right, counts }: ComparisonLegendProps) => (
  <Legend>
    <Key like={{ 'data-mark': 'left' }}>
      Only {left}: <b>{counts.left.toLocaleString('en')}</b>
    </Key>
    <Key like={{ 'data-mark': 'both' }}>
      Both: <b>{counts.both.toLocaleString('en')}</b>
    </Key>
    <Key like={{ 'data-mark': 'right' }}>
      Only {right}: <b>{counts.right.toLocaleString('en')}</b>
    </Key>
  </Legend>
)

/** What classified techniques look like. */
export const ClassificationLegend = () => (
  <Legend>
    <Key like={{ 'data-mark': 'on' }}>Classified</Key>
    <Key like={{ 'data-mark': 'inside' }}>Only sub-techniques</Key>
    <Key like={{ 'data-level': 0 }}>Not classified</Key>
  </Legend>
)
