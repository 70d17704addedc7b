import { Paper, Table } from '@mantine/core'
import type { ReactNode } from 'react'

interface TableFrameProps {
  /** Below this width the table scrolls horizontally. */
  readonly minWidth: number
  readonly children: ReactNode
}

/** The frame around a table. */
export const TableFrame = ({ minWidth, children }: TableFrameProps) => (
  <Paper withBorder style={{ overflow: 'hidden' }}>
    <Table.ScrollContainer minWidth={minWidth}>{children}</Table.ScrollContainer>
  </Paper>
)
