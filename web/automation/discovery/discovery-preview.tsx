import { Group, Loader, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { listQuery } from '../../api/lists.ts'
import { queryFault } from '../../api/query-fault.ts'
import { useMay } from '../../api/session.ts'
import { EntityName, NAMED_ATTRIBUTES, type NamedEntity } from '../../intelligence/named-entity.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorFaults } from '../../ui/faults.tsx'
import { PREVIEW_DELAY_MS } from '../preview-delay.ts'
import { type DiscoveryValues, matchParameters } from './discovery-values.ts'

const MAX_SHOWN = 10

/** The existing entities that a rule would find, while it is being written. */
export function DiscoveryPreview({ values }: { readonly values: DiscoveryValues }) {
  const canRead = useMay()('read entities')
  const text = JSON.stringify(matchParameters(values) ?? null)
  const [settled] = useDebouncedValue(text, PREVIEW_DELAY_MS)
  const parameters = JSON.parse(settled) as ReturnType<typeof matchParameters> | null
  const found = useQuery({
    ...listQuery<NamedEntity>('entities', {
      ...parameters,
      attributes: NAMED_ATTRIBUTES,
      sort: '-created_at',
      limit: MAX_SHOWN,
      'meta[total_resources_aggregated]': 0,
    }),
    enabled: canRead && parameters !== null,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const isBehind = text !== settled || found.isFetching
  // The field of the query shows where its syntax is wrong.
  const isQueryWrong = queryFault(found.error, values.query.length) !== undefined
  return (
    <Card
      title="Preview"
      after={isBehind && parameters !== null && <Loader size={14} aria-label="Searching" />}
      description="Existing entities that the rule would find. You are only notified about new and changed entities."
    >
      {!canRead && <Text size="sm">The preview requires the permission “read entities”.</Text>}
      {canRead && parameters === null && (
        <Text size="sm">Enter keywords, a query, entity types or sources to see what the rule would find.</Text>
      )}
      {parameters !== null &&
        (isQueryWrong ? (
          <Text size="sm">Correct the query to see what the rule would find.</Text>
        ) : (
          <ErrorFaults error={found.error} />
        ))}
      {parameters !== null && found.data && !found.error && (
        <Stack gap={6}>
          <Group gap={6} role="status">
            <Text fw={600}>
              {found.data.total_count.toLocaleString('en')}{' '}
              {found.data.total_count === 1 ? 'matching entity' : 'matching entities'}
            </Text>
          </Group>
          {found.data.data.map((entity) => (
            <EntityName key={entity.id} entity={entity} />
          ))}
          {found.data.total_count > MAX_SHOWN && (
            <Text size="xs" c="dimmed">
              The latest {MAX_SHOWN} are shown.
            </Text>
          )}
        </Stack>
      )}
    </Card>
  )
}
