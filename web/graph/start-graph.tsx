import { Box, Button, Container, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { EntityPicker } from '../intelligence/entity-picker.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { entityKey, observableKey } from './model.ts'
import { SavedGraphs } from './saved-graphs.tsx'
import type { GraphState } from './use-graph.ts'

/** The empty state of the graph page, with ways to start. */
export function StartGraph({ graph }: { readonly graph: GraphState }) {
  return (
    <Container size="sm" p={0}>
      <EmptyState
        title="Explore how threats are connected"
        action={
          <Stack align="center" gap="xs" mt="sm">
            <Box w={320} maw="80vw">
              <EntityPicker
                label="Find an entity or observable to start with"
                chosen={[]}
                onPick={({ id }) => void graph.addNodes([entityKey(id)], 'Add entity')}
                onPickObservable={(id) => void graph.addNodes([observableKey(id)], 'Add observable')}
              />
            </Box>
            <Button component={Link} to="/" variant="subtle" size="compact-sm">
              Search for entities to open as a graph
            </Button>
          </Stack>
        }
      >
        <Text size="sm">
          Start with one entity and expand it step by step, or open search results, a dataset or a workspace as a graph.
        </Text>
      </EmptyState>
      <SavedGraphs />
    </Container>
  )
}
