import { Group, Paper, Stack, Text, UnstyledButton } from '@mantine/core'
import { toggled, typesIn } from './filters.ts'
import type { Drawing } from './model.ts'
import { counted, typeName } from './names.ts'
import { Mark } from './node-list.tsx'
import type { GraphState } from './use-graph.ts'

/** At most this many types are in the legend; the filters list all. */
const MAX_LEGEND_TYPES = 10

const hasUnified = ({ nodes }: Drawing): boolean =>
  nodes.values().some((node) => node.kind === 'entity' && node.is_unified === true)

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
        {hasUnified(drawing) && (
          <Group gap={6} wrap="nowrap" px={4}>
            <svg viewBox="0 0 10 10" width={10} height={10} aria-hidden="true" style={{ flex: 'none' }}>
              <circle cx={5} cy={5} r={4.3} fill="none" stroke="currentColor" strokeWidth={0.9} />
              <circle cx={5} cy={5} r={2.4} fill="currentColor" />
            </svg>
            <Text size="xs">Unified entity</Text>
          </Group>
        )}
        {types.length > MAX_LEGEND_TYPES && (
          <Text size="xs" c="dimmed" px={4}>
            {types.length - MAX_LEGEND_TYPES} more types in the filters
          </Text>
        )}
      </Stack>
    </Paper>
  )
}
