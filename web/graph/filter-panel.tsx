import { Button, Checkbox, Group, NumberInput, Stack, Text } from '@mantine/core'
import { type Count, isFiltered, keysIn, toggled, typesIn } from './filters.ts'
import { NO_FILTERS } from './model.ts'
import { counted, typeName } from './names.ts'
import { Mark } from './node-list.tsx'
import type { GraphState } from './use-graph.ts'

/** Filters by type, relationship and number of neighbours. Hidden nodes are not removed. */
export function FilterPanel({ graph }: { readonly graph: GraphState }) {
  const { drawing, shown } = graph
  const { filters } = drawing
  return (
    <Stack gap="md">
      <NumberInput
        label="Minimum number of neighbours"
        description="Nodes with fewer are hidden."
        size="xs"
        min={0}
        max={1000}
        value={filters.leastDegree}
        onChange={(value) => graph.filter('Filter by degree', { leastDegree: Math.max(0, Number(value) || 0) }, true)}
      />
      <Boxes
        title="Types"
        counts={typesIn(drawing, shown)}
        hidden={filters.hiddenTypes}
        nameOf={typeName}
        hasMarks
        onToggle={(type) => graph.filter('Filter by type', { hiddenTypes: toggled(filters.hiddenTypes, type) })}
      />
      <Boxes
        title="Relationships"
        counts={keysIn(drawing, shown)}
        hidden={filters.hiddenKeys}
        nameOf={(key) => key || 'related'}
        onToggle={(key) => graph.filter('Filter by relationship', { hiddenKeys: toggled(filters.hiddenKeys, key) })}
      />
      {isFiltered(filters) && (
        <Button size="compact-sm" variant="light" onClick={() => graph.filter('Clear filters', NO_FILTERS)}>
          Clear filters
        </Button>
      )}
    </Stack>
  )
}

interface BoxesProps {
  readonly title: string
  readonly counts: readonly Count[]
  readonly hidden: readonly string[]
  readonly nameOf: (name: string) => string
  readonly hasMarks?: boolean
  readonly onToggle: (name: string) => void
}

function Boxes({ title, counts, hidden, nameOf, hasMarks = false, onToggle }: BoxesProps) {
  if (counts.length === 0) return null
  return (
    <Checkbox.Group label={title} value={counts.map(({ name }) => name).filter((name) => !hidden.includes(name))}>
      <Stack gap={6} mt={6}>
        {counts.map(({ name, count, shown }) => (
          <Checkbox
            key={name}
            size="xs"
            value={name}
            onChange={() => onToggle(name)}
            label={
              <Group gap={6} wrap="nowrap">
                {hasMarks && <Mark type={name} />}
                <span>{nameOf(name)}</span>
                <Text component="span" size="xs" c="dimmed">
                  {shown === count ? counted(count) : `${counted(shown)} of ${counted(count)}`}
                </Text>
              </Group>
            }
          />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}
