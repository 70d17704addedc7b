import { Anchor, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call } from '../api/call.ts'
import { idOf, listQuery } from '../api/lists.ts'
import { useNames } from '../api/names.ts'
import type { Graph } from '../api/resources.ts'
import { useMay } from '../api/session.ts'
import { defangText } from '../domain/defang-text.ts'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { ErrorFaults } from '../ui/faults.tsx'
import { Moment } from '../ui/moment.tsx'
import { counted } from './names.ts'

type Listed = Pick<Graph, 'id' | 'name' | 'description' | 'workspace' | 'last_updated_at'>

const MAX_SHOWN_GRAPHS = 100

/** The saved graphs in workspaces that the user can see. */
export function SavedGraphs() {
  const may = useMay()
  const { data, error } = useQuery({
    ...listQuery<Listed>('graphs', {
      attributes: 'id,name,description,workspace,last_updated_at',
      sort: '-last_updated_at',
      limit: MAX_SHOWN_GRAPHS,
    }),
    enabled: may('read graphs'),
  })
  const workspaces = useNames('workspaces')
  if (!may('read graphs')) return null
  if (error) return <ErrorFaults error={error} />
  if (!data) return <Skeleton h={120} role="status" aria-label="Loading saved graphs" />
  if (data.data.length === 0) return null
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Title order={2} size="h4">
          Saved graphs
        </Title>
        <Text size="xs" c="dimmed">
          {data.total_count > MAX_SHOWN_GRAPHS
            ? `latest ${MAX_SHOWN_GRAPHS} of ${counted(data.total_count)}`
            : counted(data.total_count)}
        </Text>
      </Group>
      <Table.ScrollContainer minWidth={420}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th>Workspace</Table.Th>
              <Table.Th>Last saved</Table.Th>
              <Table.Th aria-label="Actions" />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.data.map((graph) => (
              <Table.Tr key={graph.id}>
                <Table.Td>
                  <Anchor component={Link} to="/graph" search={{ graph: graph.id } as never} size="sm">
                    {defangText(graph.name)}
                  </Anchor>
                  {graph.description && (
                    <Text size="xs" c="dimmed" lineClamp={1}>
                      {graph.description}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>{workspaces.get(idOf(graph.workspace)) ?? `#${idOf(graph.workspace)}`}</Table.Td>
                <Table.Td>
                  <Moment at={graph.last_updated_at} />
                </Table.Td>
                <Table.Td>{may('modify graphs') && <DeleteGraph graph={graph} />}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  )
}

function DeleteGraph({ graph }: { readonly graph: Listed }) {
  const queries = useQueryClient()
  return (
    <ConfirmButton
      label="Delete"
      title={`Delete “${defangText(graph.name)}”?`}
      confirm="Delete"
      button={{ size: 'compact-xs', variant: 'subtle', 'aria-label': `Delete ${defangText(graph.name)}` }}
      onConfirm={async () => {
        await call('DELETE', `graphs/${graph.id}`)
        await queries.invalidateQueries({ queryKey: ['graphs'] })
      }}
    >
      Only the saved graph is deleted; its entities and observables are kept. This cannot be undone.
    </ConfirmButton>
  )
}
