import { Badge, Table, Text } from '@mantine/core'
import { labelOf } from '../generic/fields.ts'
import { Moment } from '../ui/moment.tsx'
import { TableFrame } from '../ui/table-frame.tsx'
import { span } from './measures.ts'

/** The state of a consumer of the change log. */
export interface FollowerStatus {
  readonly name: string
  readonly instances: number
  readonly pending_changes: number
  readonly lag_seconds: number
  readonly failures: number
  readonly last_error: string | null
  readonly last_failed_at: string | null
}

/** The server counts pending changes up to this number. */
const MAX_PENDING_COUNTED = 10_000

/** The followers of the change log: how far each is behind, and why it fails. */
export const FollowerTable = ({ followers }: { readonly followers: readonly FollowerStatus[] }) => (
  <TableFrame minWidth={560}>
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Follower</Table.Th>
          <Table.Th>Pending changes</Table.Th>
          <Table.Th>Lag</Table.Th>
          <Table.Th>Last error</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {followers.map((follower) => (
          <Table.Tr key={follower.name}>
            <Table.Td>{labelOf(follower.name)}</Table.Td>
            <Table.Td>{pendingText(follower)}</Table.Td>
            <Table.Td>{follower.pending_changes > 0 ? span(follower.lag_seconds) : '–'}</Table.Td>
            <Table.Td>
              <LastError follower={follower} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </TableFrame>
)

function pendingText({ instances, pending_changes }: FollowerStatus): string {
  if (instances === 0) return 'Not in use'
  if (pending_changes === 0) return 'Up to date'
  return `${pending_changes.toLocaleString('en')}${pending_changes >= MAX_PENDING_COUNTED ? ' or more' : ''}`
}

function LastError({ follower: { failures, last_error, last_failed_at } }: { readonly follower: FollowerStatus }) {
  if (last_error === null) return 'None'
  return (
    <>
      <Badge color="red" variant="light" size="xs" radius="xs" mr={6}>
        {failures === 1 ? '1 failed attempt' : `${failures.toLocaleString('en')} failed attempts`}
      </Badge>
      <Moment at={last_failed_at} />
      <Text size="xs">{last_error}</Text>
    </>
  )
}
