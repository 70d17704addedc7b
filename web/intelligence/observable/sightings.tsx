import { Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { ErrorFaults } from '../../ui/faults.tsx'
import { sightingsQuery } from './observable-queries.ts'
import { bucketsOf, fittingUnit, type Unit } from './timeline.ts'
import { TimelineChart } from './timeline-chart.tsx'

const UNITS: readonly { readonly value: Unit; readonly label: string }[] = [
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
]

/** When the entities with an observable were observed. */
export function Sightings({ id }: { readonly id: string }) {
  const navigate = useNavigate()
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const { data, error } = useQuery(sightingsQuery(id))
  const chosen = UNITS.find(({ value }) => value === search.by)?.value
  const unit = chosen ?? fittingUnit(data ?? [])
  const buckets = useMemo(() => bucketsOf(data ?? [], unit), [data, unit])
  if (error) return <ErrorFaults error={error} />
  if (!data) return <Skeleton height={180} />
  const total = data.reduce((sum, { count }) => sum + count, 0)
  if (total === 0)
    return (
      <Text size="sm" c="dimmed">
        None of its entities has an observation time.
      </Text>
    )
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {total === 1 ? '1 entity' : `${total.toLocaleString('en')} entities`}, by time of observation
        </Text>
        <SegmentedControl
          size="xs"
          aria-label="Interval"
          data={[...UNITS]}
          value={unit}
          onChange={(by) => void navigate({ to: '/observables/$id', params: { id }, search: { by }, replace: true })}
        />
      </Group>
      <TimelineChart buckets={buckets} label={`${total} entities in ${buckets.length} ${unit}s`} />
    </Stack>
  )
}
