import { Skeleton, Table, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { endlessQuery } from '../../api/lists.ts'
import type { Entity } from '../../api/resources.ts'
import { entityTitle } from '../../domain/entity-title.ts'
import { ErrorFaults } from '../../ui/faults.tsx'
import { ListEnd } from '../../ui/list-end.tsx'
import { Moment } from '../../ui/moment.tsx'
import { typeOf } from '../entity/entity-queries.ts'
import { EntityLink } from '../entity-link.tsx'

/** The entities with an observable, latest first. */
export function SeenIn({ id }: { readonly id: string }) {
  const list = useInfiniteQuery(
    endlessQuery<Entity>('entities', {
      'filter[observables]': id,
      sort: '-meta.estimated_observed_time',
      limit: 50,
      attributes:
        'id,data.type,data.custom_entity_type,data.title,meta.title,meta.tlp_color,meta.estimated_observed_time,last_updated_at',
    }),
  )
  const entities = list.data?.pages.flatMap(({ data }) => data) ?? []
  if (list.error) return <ErrorFaults error={list.error} />
  if (list.isPending) return <Skeleton height={160} />
  if (entities.length === 0)
    return (
      <Text size="sm" c="dimmed">
        None of its entities are visible to you.
      </Text>
    )
  return (
    <>
      <Table.ScrollContainer minWidth={680}>
        <Table verticalSpacing={6} highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Entity</Table.Th>
              <Table.Th>Observed</Table.Th>
              <Table.Th>Last updated</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {entities.map((entity) => (
              <Table.Tr key={entity.id}>
                <Table.Td>
                  <EntityLink
                    id={entity.id}
                    title={entityTitle(entity)}
                    type={typeOf(entity)}
                    tlp={entity.meta.tlp_color}
                  />
                </Table.Td>
                <Table.Td>
                  <Moment at={timeOf(entity.meta.estimated_observed_time)} />
                </Table.Td>
                <Table.Td>
                  <Moment at={entity.last_updated_at} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <ListEnd list={list} />
    </>
  )
}

const timeOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
