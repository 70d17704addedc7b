import { Skeleton, Stack, Table, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { endlessQuery } from '../../api/lists.ts'
import type { HistoryEvent } from '../../api/resources.ts'
import { labelOf } from '../../forms/labels.ts'
import { CausedBy } from '../../generic/caused-by.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorFaults } from '../../ui/faults.tsx'
import { ListEnd } from '../../ui/list-end.tsx'
import { Moment } from '../../ui/moment.tsx'
import { ReferenceName } from '../reference-name.tsx'
import { ChangedByRules } from './changed-by-rules.tsx'
import type { TabProps } from './entity.tsx'

const KINDS: Readonly<Record<string, string>> = { create: 'Created', update: 'Updated', delete: 'Deleted' }

/** The history of an entity: who or which rule changed what, and when. */
export const HistoryTab = ({ entity: { id } }: TabProps) => (
  <Stack>
    <ChangedByRules entity={id} />
    <Events id={id} />
  </Stack>
)

function Events({ id }: { readonly id: string }) {
  const list = useInfiniteQuery(
    endlessQuery<HistoryEvent>('history-events', {
      'filter[object]': id,
      'filter[resource]': 'entities',
      sort: '-at',
      limit: 50,
    }),
  )
  const events = list.data?.pages.flatMap(({ data }) => data) ?? []
  if (list.error) return <ErrorFaults error={list.error} />
  if (list.isPending) return <Skeleton height={200} />
  if (events.length === 0)
    return <EmptyState title="No history">History events are deleted after the configured retention period.</EmptyState>
  return (
    <Stack>
      <Table.ScrollContainer minWidth={560}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Time</Table.Th>
              <Table.Th>User</Table.Th>
              <Table.Th>Event</Table.Th>
              <Table.Th>Fields</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {events.map((event) => (
              <Table.Tr key={event.id}>
                <Table.Td>
                  <Moment at={event.at} />
                </Table.Td>
                <Table.Td>
                  {event.user ? (
                    <ReferenceName collection="users" url={event.user} permission="read users" field="username" />
                  ) : (
                    'System'
                  )}
                </Table.Td>
                <Table.Td>
                  {KINDS[event.kind] ?? event.kind}
                  <CausedBy cause={event.cause} />
                </Table.Td>
                <Table.Td>
                  <Text size="sm">{event.kind === 'create' ? '–' : fieldsOf(event.changes)}</Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <ListEnd list={list} />
    </Stack>
  )
}

const fieldsOf = (changes: HistoryEvent['changes'] | null): string =>
  Object.keys(changes ?? {})
    .map((path) => labelOf(path.replace(/^(?:data|meta)\./, '')))
    .join(', ') || 'Links'
