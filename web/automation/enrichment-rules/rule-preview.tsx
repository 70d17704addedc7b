import { Badge, Group, Paper, Skeleton, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMay } from '../../api/session.ts'
import { observableTypeName } from '../../domain/observables.ts'
import { ErrorFaults } from '../../ui/faults.tsx'
import type { Forecast } from '../enrichers/enricher-queries.ts'
import { ForecastTable, ForecastTotals } from '../panel/forecast-table.tsx'
import { type RuleFormValues, scopeOf } from './rule-form-values.ts'
import { readPreview } from './rule-queries.ts'

const PAUSE_MS = 500

/** What the rule would look up among existing data, updated shortly after the last change. */
export function RulePreview({ values }: { readonly values: RuleFormValues }) {
  const may = useMay()
  const [settled] = useDebouncedValue(values, PAUSE_MS)
  const scope = scopeOf(settled)
  const preview = useQuery({
    queryKey: ['enrichment-rules', 'preview', scope],
    queryFn: ({ signal }) => readPreview(scope, signal),
    enabled: may('read entities') && may('read extracts') && settled.enrichers.length > 0,
    placeholderData: keepPreviousData,
    retry: false,
  })
  if (settled.enrichers.length === 0) return null
  return (
    <Paper withBorder p="sm">
      <Stack gap="xs">
        <Text size="sm" fw={600}>
          Preview on existing data
        </Text>
        <ErrorFaults error={preview.error} />
        {preview.isPending && <Skeleton h={80} role="status" aria-label="Loading preview" />}
        {preview.data && !preview.error && <Shown forecast={preview.data} hasStop={settled.stopAt !== ''} />}
      </Stack>
    </Paper>
  )
}

/** At most this many types are shown. */
const MAX_TYPES = 8

function Shown({ forecast, hasStop }: { readonly forecast: Forecast; readonly hasStop: boolean }) {
  const { observables, by_type, enrichers } = forecast
  const types = Object.entries(by_type).sort(([, a], [, b]) => b - a)
  return (
    <>
      <Group gap={6}>
        <Text size="sm">{observables === 1 ? '1 observable' : `${observables.toLocaleString('en')} observables`}</Text>
        {types.slice(0, MAX_TYPES).map(([type, count]) => (
          <Badge key={type} variant="default" radius="xs" tt="none">
            {count.toLocaleString('en')} {observableTypeName(type)}
          </Badge>
        ))}
        {types.length > MAX_TYPES && (
          <Text size="xs" c="dimmed">
            and {types.length - MAX_TYPES} more types
          </Text>
        )}
      </Group>
      {observables > 0 && <ForecastTable forecast={enrichers} />}
      <ForecastTotals forecast={enrichers} chosen={new Set(enrichers.map(({ enricher }) => enricher))} />
      {hasStop && (
        <Text size="xs" c="dimmed">
          Because the rule stops at a verdict, it may need fewer calls.
        </Text>
      )}
    </>
  )
}
