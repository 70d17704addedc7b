import { Paper, Table } from '@mantine/core'
import type { ReactNode } from 'react'

interface TableFrameProps {
  /** Below this width the table scrolls in itself. */
  readonly minWidth: number
  readonly children: ReactNode
}

/** What a table lies in. */
export const TableFrame = ({ minWidth, children }: TableFrameProps) => (
  <Paper withBorder style={{ overflow: 'hidden' }}>
    <Table.ScrollContainer minWidth={minWidth}>{children}</Table.ScrollContainer>
  </Paper>
)
