import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'

interface ShowInGraphProps {
  readonly id: string
  /** Whether unified entities stand for their contributors in the graph. */
  readonly isCollapsed?: boolean
}

/** A button that opens the graph with an entity. */
export const ShowInGraph = ({ id, isCollapsed = false }: ShowInGraphProps) => (
  <Button
    variant="default"
    renderRoot={(props) => (
      <Link to="/graph" search={{ entities: id, ...(isCollapsed && { consolidation: 'unified' }) }} {...props} />
    )}
    visibleFrom="sm"
  >
    Show in graph
  </Button>
)
