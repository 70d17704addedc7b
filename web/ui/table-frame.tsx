import { Paper, Table } from '@mantine/core'
import type { ReactNode } from 'react'

interface TableFrameProps {
  /** Below this width the table scrolls horizontally. */
  readonly minWidth: number
  /** The name of a table without links and buttons: it takes the focus itself, so that it can be scrolled by keyboard. */
  readonly label?: string
  readonly children: ReactNode
}

/** The frame around a table. */
export const TableFrame = ({ minWidth, label, children }: TableFrameProps) => (
  <Paper withBorder style={{ overflow: 'hidden' }}>
    <Table.ScrollContainer
      minWidth={minWidth}
      {...(label !== undefined && {
        scrollAreaProps: { viewportProps: { tabIndex: 0, role: 'region', 'aria-label': label } },
      })}
    >
      {children}
    </Table.ScrollContainer>
  </Paper>
)
