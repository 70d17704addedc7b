import { Badge, Group, Loader, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMay } from '../../api/session.ts'
import { observableTypeName } from '../../domain/observables.ts'
import { Card } from '../../ui/card.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import type { Forecast } from '../enrichers/enricher-queries.ts'
import { ForecastTable, ForecastTotals } from '../panel/forecast-table.tsx'
import { PREVIEW_DELAY_MS } from '../preview-delay.ts'
import { type RuleFormValues, scopeOf } from './rule-form-values.ts'
import { readPreview } from './rule-queries.ts'

/** What the rule would look up among existing data, while it is being written. */
export function RulePreview({ values }: { readonly values: RuleFormValues }) {
  const may = useMay()
  const missing = NEEDED.find((permission) => !may(permission))
  const text = JSON.stringify(scopeOf(values))
  const [settled] = useDebouncedValue(text, PREVIEW_DELAY_MS)
  const hasEnrichers = values.enrichers.length > 0
  const isAsked = missing === undefined && hasEnrichers
  const preview = useQuery({
    queryKey: ['enrichment-rules', 'preview', settled],
    queryFn: ({ signal }) => readPreview(JSON.parse(settled), signal),
    enabled: isAsked,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const isBehind = text !== settled || preview.isFetching
  return (
    <Card
      title="Preview"
      after={isAsked && isBehind && <Loader size={14} aria-label="Computing the preview" />}
      description="What the rule would look up among existing data. Nothing is sent."
    >
      {missing && <Text size="sm">The preview requires the permission “{missing}”.</Text>}
      {!missing && !hasEnrichers && <Text size="sm">Add an enricher to see what the rule would look up.</Text>}
      {isAsked && <LoadFault query={preview} />}
      {isAsked && preview.data && !preview.error && <Shown forecast={preview.data} hasStop={values.stopAt !== ''} />}
    </Card>
  )
}

const NEEDED = ['read entities', 'read extracts']

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
            and {types.length - MAX_TYPES} more
          </Text>
        )}
      </Group>
      {observables > 0 && <ForecastTable forecast={enrichers} isCompact />}
      <ForecastTotals forecast={enrichers} chosen={new Set(enrichers.map(({ enricher }) => enricher))} />
      {hasStop && (
        <Text size="xs" c="dimmed">
          Because the rule stops at a verdict, it may need fewer calls.
        </Text>
      )}
    </>
  )
}
