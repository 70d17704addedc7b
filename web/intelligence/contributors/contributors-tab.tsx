import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { idOf } from '../../api/lists.ts'
import { entityTitle } from '../../domain/entity-title.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorFaults } from '../../ui/faults.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import type { TabProps } from '../entity/entity.tsx'
import { entityQuery } from '../entity/entity-queries.ts'
import { compareAddress } from './comparison.ts'
import { contributionsQuery } from './contributions.ts'
import { ContributorTable } from './contributor-table.tsx'
import { FieldOrigins } from './field-origins.tsx'

/** What a unified entity is composed from, and where each value comes from; the same for each of its contributors. */
export function ContributorsTab({ entity }: TabProps) {
  const { data, error } = useQuery(contributionsQuery(entity.id))
  const unifiedId = data?.unified ? idOf(data.unified) : ''
  const unified = useQuery({ ...entityQuery(unifiedId), enabled: unifiedId !== '' })
  if (error) return <ErrorFaults error={error} />
  if (!data || (unifiedId !== '' && unified.isPending))
    return <Skeleton height={240} role="status" aria-label="Loading contributors" />
  if (!data.unified || !unified.data)
    return (
      <EmptyState title="No contributors">
        This entity is not part of a unified entity. Consolidation policies join entities that describe the same thing.
      </EmptyState>
    )
  const { contributors, fields } = data
  const compare = compareAddress([unifiedId])
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start">
        <Text size="sm" c="dimmed" maw={720}>
          {entity.id === unifiedId
            ? 'This entity is composed from the contributors below. To change a value, change the contributor that it comes from.'
            : 'This entity is one of the contributors below. The unified entity is composed from all of them.'}
        </Text>
        <PageLink {...compare} underline="never">
          <Button component="span" variant="default" tabIndex={-1}>
            Compare side by side
          </Button>
        </PageLink>
      </Group>
      <ContributorTable
        unified={{ id: unifiedId, title: entityTitle(unified.data) }}
        contributors={contributors}
        current={entity.id}
      />
      <FieldOrigins fields={fields} contributors={contributors} />
    </Stack>
  )
}
