import { Badge, List, Skeleton, Stack, Table, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { endlessQuery, idOf } from '../api/lists.ts'
import { ErrorFaults } from '../ui/faults.tsx'
import { inSentence } from '../ui/in-sentence.ts'
import { ListEnd } from '../ui/list-end.tsx'
import { PageLink } from '../ui/page-link.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { TableFrame } from '../ui/table-frame.tsx'

/** The outcome of one object of a file. */
interface Outcome {
  readonly id: number
  readonly position: number
  readonly place: string
  readonly kind: 'entity' | 'relationship' | 'observable' | 'part'
  readonly outcome: string
  readonly stix_id: string | null
  readonly entity: string | null
  readonly observables_created: number
  readonly details: readonly string[]
  readonly notes: readonly string[]
}

const COLOURS: Readonly<Record<string, string>> = {
  created: 'green',
  updated: 'blue',
  unchanged: 'gray',
  outdated: 'gray',
  refused: 'red',
  lost: 'orange',
}

interface OutcomeTableProps {
  readonly file: number
  readonly label: string
  /** Whether to show only objects with losses. */
  readonly isLossOnly?: boolean
  readonly empty: ReactNode
}

/** The outcome of each object of a file, with its losses and their reasons. */
export function OutcomeTable({ file, label, isLossOnly = false, empty }: OutcomeTableProps) {
  const list = useInfiniteQuery(
    endlessQuery<Outcome>(`files/${file}/outcomes`, {
      ...(isLossOnly && { 'filter[has_loss]': true }),
      limit: 100,
    }),
  )
  const rows = list.data?.pages.flatMap(({ data }) => data)
  if (list.error) return <ErrorFaults error={list.error} />
  if (!rows) return <Skeleton h={160} role="status" aria-label={`Loading ${inSentence(label)}`} />
  if (rows.length === 0) return empty
  const total = list.data?.pages[0]?.total_count ?? rows.length
  return (
    <Stack gap={4}>
      <Text size="sm" c="dimmed">
        {total.toLocaleString('en')} {total === 1 ? 'object' : 'objects'}
      </Text>
      <TableFrame minWidth={680}>
        <Table aria-label={label}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={170}>Location in file</Table.Th>
              <Table.Th w={110}>Type</Table.Th>
              <Table.Th w={110}>Outcome</Table.Th>
              <Table.Th>Details</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <OutcomeRow key={row.id} row={row} />
            ))}
          </Table.Tbody>
        </Table>
      </TableFrame>
      <ListEnd list={list} />
    </Stack>
  )
}

function OutcomeRow({ row }: { readonly row: Outcome }) {
  return (
    <Table.Tr style={{ verticalAlign: 'top' }}>
      <Table.Td className="code" fz="xs">
        {row.place}
      </Table.Td>
      <Table.Td>{row.kind}</Table.Td>
      <Table.Td>
        <Badge variant="light" radius="xs" color={COLOURS[row.outcome] ?? 'gray'}>
          {row.outcome}
        </Badge>
      </Table.Td>
      <Table.Td>
        {row.entity !== null && <PageLink to={`/entities/${idOf(row.entity)}`}>Open entity</PageLink>}
        {row.stix_id !== null && (
          <Text size="xs" c="dimmed" className="code">
            {row.stix_id}
          </Text>
        )}
        {row.observables_created > 0 && (
          <Text size="sm">
            {row.observables_created.toLocaleString('en')}{' '}
            {row.observables_created === 1 ? 'new observable' : 'new observables'}
          </Text>
        )}
        <List size="sm">
          {[...row.details, ...row.notes].map((detail) => (
            <List.Item key={detail}>
              <PlainText text={detail} />
            </List.Item>
          ))}
        </List>
      </Table.Td>
    </Table.Tr>
  )
}
