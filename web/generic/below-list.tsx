import { Code, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { listQuery } from '../api/lists.ts'
import type { HistoryEvent } from '../api/resources.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorFaults } from '../ui/faults.tsx'
import { inSentence } from '../ui/in-sentence.ts'
import { Moment } from '../ui/moment.tsx'
import { CausedBy } from './caused-by.tsx'
import type { BelowModel, CollectionModel } from './collections.ts'
import { labelOf } from './fields.ts'
import type { ListSearch } from './list-search.ts'
import type { Row } from './list-table.tsx'
import { ObjectList } from './object-list.tsx'
import { ReferenceName } from './reference-name.tsx'

interface BelowListProps {
  readonly below: BelowModel
  readonly id: string
  readonly actions?: ((row: Row) => ReactNode) | undefined
}

/** A nested list of one object. */
export function BelowList({ below, id, actions }: BelowListProps) {
  const [search, setSearch] = useState<ListSearch>({})
  const hasTime = below.shown.some(({ name }) => name === 'created_at')
  return (
    <ObjectList
      label={below.label}
      path={below.path(id)}
      shown={below.shown}
      search={{ ...(hasTime && { sort: '-created_at' }), ...search }}
      onSearch={setSearch}
      actions={actions}
      empty={<EmptyState title={`No ${inSentence(below.label)} yet`} />}
    />
  )
}

const MAX_EVENTS = 50

interface HistoryListProps {
  readonly model: CollectionModel
  readonly history: CollectionModel
  readonly id: string
}

/** The history of an object: who changed which fields, and when. */
export function HistoryList({ model, history, id }: HistoryListProps) {
  const asked = { 'filter[resource]': model.name, 'filter[object]': id, sort: '-at', limit: MAX_EVENTS }
  const events = useQuery(listQuery<HistoryEvent>(history.path, asked))
  if (events.error) return <ErrorFaults error={events.error} />
  if (events.data?.data.length === 0) return <EmptyState title="No history yet" />
  return (
    <Table aria-label="History" verticalSpacing={6} fz="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={150}>Time</Table.Th>
          <Table.Th w={140}>User</Table.Th>
          <Table.Th>Change</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {events.data?.data.map((event) => (
          <Table.Tr key={event.id}>
            <Table.Td>
              <Moment at={event.at} />
            </Table.Td>
            <Table.Td>{event.user ? <ReferenceName url={event.user} /> : '–'}</Table.Td>
            <Table.Td>
              <Changes event={event} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function Changes({ event: { kind, cause, changes } }: { readonly event: HistoryEvent }) {
  const entries = Object.entries(changes ?? {})
  return (
    <Stack gap={2}>
      <Text size="sm" fw={500}>
        {labelOf(kind)}
      </Text>
      <CausedBy cause={cause} />
      {entries.map(([name, change]) => (
        <Text key={name} size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
          {labelOf(name)}
          {change !== null && (
            <>
              : <Code>{JSON.stringify(change).slice(0, 300)}</Code>
            </>
          )}
        </Text>
      ))}
    </Stack>
  )
}
