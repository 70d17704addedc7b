import { Text } from '@mantine/core'
import type { QueryFault } from '../api/query-fault.ts'
import classes from './query-box.module.css'

interface FaultMarkProps {
  readonly id: string
  readonly fault: QueryFault
  /** The scroll position of the input, in pixels. */
  readonly scroll: number
}

/** Marks the position of a syntax error in a query, with its message. */
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
