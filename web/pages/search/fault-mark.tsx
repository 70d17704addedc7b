import { Text } from '@mantine/core'
import classes from './query-box.module.css'
import type { QueryFault } from './query-fault.ts'

interface FaultMarkProps {
  readonly id: string
  readonly fault: QueryFault
  /** How far the box is scrolled, in pixels. */
  readonly scroll: number
}

/** Points at the place of a query that cannot be read, and says what is wrong there. */
export function FaultMark({ id, fault: { message, column }, scroll }: FaultMarkProps) {
  return (
    <div className={classes.fault} id={id} role="alert">
      <div className={classes.faultLine} aria-hidden>
        <span className={classes.faultMark} style={{ insetInlineStart: `calc(${column}ch - ${scroll}px)` }} />
      </div>
      <Text size="sm" c="var(--mantine-color-error)">
        {message} (column {column + 1})
      </Text>
    </div>
  )
}
