import { Button, Skeleton, Stack, Text, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listQuery, type Parameters } from '../../api/lists.ts'
import { EntityName, NAMED_ATTRIBUTES, type NamedEntity } from '../../intelligence/named-entity.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'

const FIRST = 10
const MORE = 50

interface NodeEntitiesProps {
  readonly id: string
  readonly parameters: Parameters
}

/** The entities that count for a technique: those behind the number in its cell. */
export function NodeEntities({ id, parameters }: NodeEntitiesProps) {
  const [limit, setLimit] = useState(FIRST)
  const list = useQuery({
    ...listQuery<NamedEntity>(`attacks/${id}/entities`, {
      ...parameters,
      attributes: NAMED_ATTRIBUTES,
      limit,
      sort: '-last_updated_at',
    }),
    placeholderData: keepPreviousData,
  })
  const total = list.data?.total_count ?? 0
  return (
    <Stack gap={6} component="section" aria-label="Entities">
      <Title order={3} fz="sm">
        Entities {list.data && `(${total.toLocaleString('en')})`}
      </Title>
      <LoadFault query={list} />
      {list.isPending && <Skeleton h={60} role="status" aria-label="Loading entities" />}
      {list.data?.data.map((entity) => (
        <EntityName key={entity.id} entity={entity} />
      ))}
      {list.data && total === 0 && (
        <Text size="sm" c="dimmed">
          No entity in this scope.
        </Text>
      )}
      {total > limit && (
        <Button variant="default" size="compact-sm" onClick={() => setLimit(limit + MORE)} loading={list.isFetching}>
          Show more
        </Button>
      )}
    </Stack>
  )
}
