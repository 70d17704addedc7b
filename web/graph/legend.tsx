import { Group, Paper, Stack, Text, UnstyledButton } from '@mantine/core'
import { toggled, typesIn } from './filters.ts'
import { counted, typeName } from './names.ts'
import { Mark } from './node-list.tsx'
import type { GraphState } from './use-graph.ts'

/** At most this many types are in the legend; the filters list all. */
const MAX_LEGEND_TYPES = 10

/** The node colours with counts; clicking a type hides or shows it. */
export function Legend({ graph }: { readonly graph: GraphState }) {
  const { drawing, shown } = graph
  const types = typesIn(drawing, shown)
  const { hiddenTypes } = drawing.filters
  return (
    <Paper withBorder p={6} pos="absolute" bottom={8} left={8} component="section" aria-label="Legend" opacity={0.94}>
      <Stack gap={2}>
        {types.slice(0, MAX_LEGEND_TYPES).map(({ name, count }) => {
          const isHidden = hiddenTypes.includes(name)
          return (
            <UnstyledButton
              key={name}
              px={4}
              aria-pressed={!isHidden}
              title={isHidden ? 'Show' : 'Hide'}
              onClick={() => graph.filter('Filter by type', { hiddenTypes: toggled(hiddenTypes, name) })}
            >
              <Group gap={6} wrap="nowrap">
                <Mark type={name} />
                <Text size="xs" {...(isHidden && { td: 'line-through', c: 'dimmed' })}>
                  {typeName(name)}
                </Text>
                <Text size="xs" c="dimmed" ml="auto">
                  {counted(count)}
                </Text>
              </Group>
            </UnstyledButton>
          )
        })}
        {types.length > MAX_LEGEND_TYPES && (
          <Text size="xs" c="dimmed" px={4}>
            {types.length - MAX_LEGEND_TYPES} more types in the filters
          </Text>
        )}
      </Stack>
    </Paper>
  )
}
