import { Fragment } from 'react'
import classes from './legend.module.css'
import type { LegendGroup, LegendItem } from './legend-groups.ts'
import grid from './matrix-grid.module.css'

/** What the cells of a matrix mean. */
export const Legend = ({ groups }: { readonly groups: readonly LegendGroup[] }) => (
  <div className={`${grid.colours} ${classes.legend}`} role="note" aria-label="Legend">
    {groups.map(({ title, items }) => (
      <Fragment key={title}>
        {title !== '' && <span className={classes.title}>{title}</span>}
        {items.map((item) => (
          <Key key={item.label} item={item} />
        ))}
      </Fragment>
    ))}
  </div>
)

const Key = ({
  item: {
    label,
    count,
    face: { level, gapLevel, shareLevel, mark },
  },
}: {
  readonly item: LegendItem
}) => (
  <span className={classes.key}>
    <span
      className={`${grid.cell} ${classes.sample}`}
      data-level={level}
      data-gap={gapLevel || undefined}
      data-share={shareLevel || undefined}
      data-mark={mark || undefined}
      aria-hidden
    />
    {count === undefined ? (
      label
    ) : (
      <span>
        {label}: <b>{count.toLocaleString('en')}</b>
      </span>
    )}
  </span>
)
