import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'

/** A button that opens the graph with an entity. */
export const ShowInGraph = ({ id }: { readonly id: string }) => (
  <Button
    variant="default"
    renderRoot={(props) => <Link to="/graph" search={{ entities: id }} {...props} />}
    visibleFrom="sm"
  >
    Show in graph
  </Button>
)
