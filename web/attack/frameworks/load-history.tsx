import { Skeleton, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { listQuery } from '../../api/lists.ts'
import { nameOf, useNames } from '../../api/names.ts'
import { defangText } from '../../domain/defang-text.ts'
import { LoadFault } from '../../ui/load-fault.tsx'
import { Moment } from '../../ui/moment.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import { type FrameworkLoad, frameworkName, LOADS } from './framework.ts'
import { StateOfLoad } from './load-state.tsx'
import { UndoLoad } from './undo-load.tsx'
import { usesInWords } from './uses.ts'

/** What was loaded, compared and undone, the latest first. */
export function LoadHistory() {
  const list = useQuery(listQuery<FrameworkLoad>(LOADS))
  const users = useNames('users')
  if (list.error) return <LoadFault query={list} />
  if (!list.data) return <Skeleton h={120} role="status" aria-label="Loading history" />
  if (list.data.data.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No other version has been loaded yet.
      </Text>
    )
  return (
    <TableFrame minWidth={860}>
      <Table aria-label="History of loads">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Framework</Table.Th>
            <Table.Th w={100}>State</Table.Th>
            <Table.Th w={220}>When</Table.Th>
            <Table.Th>Changed</Table.Th>
            <Table.Th>From</Table.Th>
            <Table.Th w={80} aria-label="Actions" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {list.data.data.map((load) => {
            const [at, by] = whenOf(load)
            return (
              <Table.Tr key={load.id}>
                <Table.Td>
                  <PageLink to={`/attack/frameworks/${load.id}`} fw={500}>
                    {frameworkName(load.matrix)} {load.version}
                  </PageLink>
                  <Text size="xs" c="dimmed">
                    {load.previous_version === load.version ? 'the same version' : `before: ${load.previous_version}`}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <StateOfLoad state={load.state} />
                </Table.Td>
                <Table.Td>
                  <Moment at={at} />
                  {by !== null && (
                    <Text size="xs" c="dimmed">
                      {nameOf(users, by)}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>
                  <Text size="sm">{load.remapped ? usesInWords(load.remapped) || 'Nothing in use' : '–'}</Text>
                </Table.Td>
                <Table.Td maw={260}>
                  <Text size="xs" truncate="end" title={defangText(load.origin)}>
                    {defangText(load.origin)}
                  </Text>
                </Table.Td>
                <Table.Td>{load.can_undo && <UndoLoad load={load} />}</Table.Td>
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </TableFrame>
  )
}

/** When a load came into its state, and who brought it there. */
function whenOf(load: FrameworkLoad): readonly [string, string | null] {
  if (load.state === 'undone') return [load.undone_at ?? load.created_at, load.undone_by]
  if (load.state === 'loaded') return [load.loaded_at ?? load.created_at, load.loaded_by]
  return [load.created_at, load.created_by]
}
