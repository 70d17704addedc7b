import { percent } from './gap.ts'
import classes from './measure-bar.module.css'

interface MeasureBarProps {
  readonly kind: 'threat' | 'covered' | 'gap'
  /** From 0 to 1. */
  readonly share: number
}

/** A share as a bar with its number. */
export const MeasureBar = ({ kind, share }: MeasureBarProps) => (
  <div className={classes.measure}>
    <div className={classes.track} aria-hidden>
      <div
        className={`${classes.fill} ${classes[kind]}`}
        style={{ width: `${Math.max(0, Math.min(1, share)) * 100}%` }}
      />
    </div>
    <span className={classes.number}>{percent(share)}</span>
  </div>
)
