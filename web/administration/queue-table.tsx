import { Table } from '@mantine/core'
import { labelOf } from '../generic/fields.ts'
import { TableFrame } from '../ui/table-frame.tsx'
import { span } from './measures.ts'

interface Queue {
  readonly name: string
  readonly state: string
  readonly waiting: number
  readonly due: number
  readonly running: number
  readonly oldest_due_seconds: number
}

/** What enrichers, detonators and playbooks have to do. */
export interface QueueStatus {
  readonly enrichers: readonly Queue[]
  readonly detonators: readonly Queue[]
  readonly playbooks: readonly Queue[]
}

/** The work that automation has to do: how much there is, and for how long it has been due. */
export const QueueTable = (status: QueueStatus) => (
  <TableFrame minWidth={560}>
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Queue</Table.Th>
          <Table.Th>State</Table.Th>
          <Table.Th>Waiting</Table.Th>
          <Table.Th>Due</Table.Th>
          <Table.Th>Due for</Table.Th>
          <Table.Th>Running</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rowsOf(status).length === 0 && (
          <Table.Tr>
            <Table.Td colSpan={6} c="dimmed">
              No enricher, detonator or playbook is active.
            </Table.Td>
          </Table.Tr>
        )}
        {rowsOf(status).map(({ kind, name, state, waiting, due, running, oldest_due_seconds }) => (
          <Table.Tr key={`${kind} ${name}`}>
            <Table.Td>{`${kind}: ${name}`}</Table.Td>
            <Table.Td>{labelOf(state.toLowerCase())}</Table.Td>
            <Table.Td>{waiting.toLocaleString('en')}</Table.Td>
            <Table.Td>{due.toLocaleString('en')}</Table.Td>
            <Table.Td>{due > 0 ? span(oldest_due_seconds) : '–'}</Table.Td>
            <Table.Td>{running.toLocaleString('en')}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </TableFrame>
)

const rowsOf = ({ enrichers, detonators, playbooks }: QueueStatus) => [
  ...enrichers.map((queue) => ({ kind: 'Enricher', ...queue })),
  ...detonators.map((queue) => ({ kind: 'Detonator', ...queue })),
  ...playbooks.map((queue) => ({ kind: 'Playbook', ...queue })),
]
