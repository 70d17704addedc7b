import { Anchor, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ErrorFaults } from '../../ui/faults.tsx'
import { Indicator } from '../../ui/indicator.tsx'
import { companionsQuery } from './observable-queries.ts'

/** Observables that most often occur in the same entities. */
export function Companions({ id }: { readonly id: string }) {
  const { data, error } = useQuery(companionsQuery(id))
  if (error) return <ErrorFaults error={error} />
  if (!data) return <Skeleton height={120} />
  if (data.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No other observables occur in the same entities.
      </Text>
    )
  return (
    <Stack gap={6}>
      {data.map(({ observable, count }) => (
        <Group key={observable.id} gap="xs" justify="space-between" wrap="nowrap">
          <Text size="sm" component="span" miw={0}>
            <Indicator type={observable.type} value={observable.value} />
          </Text>
          <Anchor
            size="xs"
            style={{ whiteSpace: 'nowrap' }}
            aria-label={`${entities(count)}: ${observable.display_value}`}
            renderRoot={(props) => <Link to="/observables/$id" params={{ id: String(observable.id) }} {...props} />}
          >
            {entities(count)}
          </Anchor>
        </Group>
      ))}
    </Stack>
  )
}

const entities = (count: number): string => (count === 1 ? '1 entity' : `${count.toLocaleString('en')} entities`)
