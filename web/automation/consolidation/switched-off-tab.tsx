import { Skeleton, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { listQuery } from '../../api/lists.ts'
import { defangText } from '../../domain/defang-text.ts'
import { type Reason, reasonKindLabel } from '../../domain/match-reasons.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { Moment } from '../../ui/moment.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import { POLICIES, type Policy } from './policy.ts'
import { distinctKeys, remedyOf, whySwitchedOff } from './policy-words.ts'

interface SwitchedOffKey extends Reason {
  readonly members: number
  readonly since: string
}

const REFRESH_MS = 30_000

/** What too many entities share to mean anything, and what to do about it. */
export function SwitchedOffTab({ policy }: { readonly policy: Policy }) {
  const list = useQuery({
    ...listQuery<SwitchedOffKey>(`${POLICIES.path}/${policy.id}/switched-off-keys`),
    refetchInterval: REFRESH_MS,
  })
  const keys = list.data && distinctKeys(list.data.data)
  return (
    <Stack gap="sm">
      <LoadFault query={list} />
      {list.isPending && <Skeleton h={140} role="status" aria-label="Loading switched-off keys" />}
      {keys?.length === 0 && (
        <EmptyState title="All keys are in use">
          Entities are joined by what they share, such as a title or an external id. If more than 50 entities share the
          same one, it joins nothing any more and is listed here.
        </EmptyState>
      )}
      {keys && keys.length > 0 && (
        <TableFrame minWidth={720}>
          <Table aria-label="Switched-off keys">
            <Table.Thead>
              <Table.Tr>
                <Table.Th w={280}>Shared</Table.Th>
                <Table.Th>Why it is not used, and what to do</Table.Th>
                <Table.Th w={150}>Since</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {keys.map((key) => (
                <Table.Tr key={`${key.kind} ${key.value}`}>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>
                    <Text size="sm" fw={500}>
                      {key.value ? defangText(key.value) : reasonKindLabel(key.kind)}
                    </Text>
                    {key.value && (
                      <Text size="xs" c="dimmed">
                        {reasonKindLabel(key.kind)}
                      </Text>
                    )}
                  </Table.Td>
                  <Table.Td>
                    <Text size="sm">{whySwitchedOff(key)}</Text>
                    <Text size="xs" c="dimmed">
                      {remedyOf(key)}
                    </Text>
                  </Table.Td>
                  <Table.Td>
                    <Moment at={key.since} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </TableFrame>
      )}
    </Stack>
  )
}
